/** The requests and changes of late, in the memory of this process: so many, and so many bytes of bodies. */
import { Readable } from 'node:stream'
import type { Operation } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import { type Recorded, Records } from './records.ts'
import { BODY_BYTES_KEPT, type Change, type Event, type Kept, type Seen } from './request-rules.ts'

/** A listener that is behind by more than this is let go; it can come back with the id it has. */
const STREAM_BYTES_MAX = 1024 * 1024

export class RequestLog {
  readonly #records: Records
  /** By the names of operations, since a record is only text. */
  readonly #contracts = new Map<string, Operation | undefined>()
  readonly #streams = new Map<Readable, (event: Event) => string>()

  constructor(eventsKept: number) {
    this.#records = new Records({ records: eventsKept, bytes: BODY_BYTES_KEPT })
  }

  add(seen: Seen): void {
    const { time, serial, operation, contract, changes } = seen
    if (!this.#contracts.has(operation)) this.#contracts.set(operation, contract)
    const changed = textOf(changes)
    const number = this.#records.add(headOf(seen, changed), seen.body, seen.answer)
    if (this.isWatched) this.#publish({ kind: 'request', number, request: { ...seen, number } })
    if (changed === '') return
    this.#addChange({ time, source: { serial }, changes }, `{"serial":"${serial}"}`, changed)
  }

  addChange(change: Change): void {
    this.#addChange(change, JSON.stringify(change.source), textOf(change.changes))
  }

  #addChange(change: Change, source: string, changed: string): void {
    const head = `{"time":${change.time.getTime()},"source":${source},"changes":${changed || '{}'}}`
    const number = this.#records.add(head, undefined, undefined)
    if (this.isWatched) this.#publish({ kind: 'change', number, change })
  }

  /** Whether anybody follows the events. */
  get isWatched(): boolean {
    return this.#streams.size > 0
  }

  /** Newest first. */
  list(): Kept[] {
    return this.#live()
      .flatMap((event) => (event.kind === 'request' ? [event.request] : []))
      .toReversed()
  }

  get(serial: string): Kept {
    const entry = this.list().find((candidate) => candidate.serial === serial)
    if (entry === undefined) {
      throw new NotFound(
        `The request ${serial} is not kept here.`,
        `リクエスト ${serial} の記録はありません。`,
      )
    }
    return entry
  }

  /** What comes from now on; with a number, first what came after it and is still kept. */
  stream(after: number | undefined, format: (event: Event) => string): Readable {
    const stream = new Readable({ read: () => undefined })
    stream.once('close', () => this.#streams.delete(stream))
    stream.push(': events follow\n\n')
    if (after !== undefined) {
      const missed = this.#live().filter(({ number }) => number > after)
      for (const event of missed) stream.push(format(event))
    }
    this.#streams.set(stream, format)
    return stream
  }

  endStreams(): void {
    for (const stream of this.#streams.keys()) stream.push(null)
    this.#streams.clear()
  }

  #live(): Event[] {
    return [...this.#records.all()].map((record) => this.#toEvent(record))
  }

  #toEvent(record: Recorded): Event {
    const { number, head } = record
    if (head.startsWith('{')) {
      const { time, ...change } = JSON.parse(head)
      return { kind: 'change', number, change: { time: new Date(time), ...change } }
    }
    const request = seenOf(record)
    const contract = this.#contracts.get(request.operation)
    return { kind: 'request', number, request: { ...request, contract, number } }
  }

  #publish(event: Event): void {
    for (const [stream, format] of this.#streams) {
      stream.push(format(event))
      if (stream.readableLength > STREAM_BYTES_MAX) stream.destroy()
    }
  }
}

/** None of them has a line break in it; a change begins with a brace. */
function headOf(seen: Seen, changed: string): string {
  const { serial, time, method, operation, status, durationMs, path } = seen
  const { account = '', client = '' } = seen
  return `${serial}\n${time.getTime()}\n${method}\n${operation}\n${status}\n${durationMs}\n${path}\n${account}\n${client}\n${changed}`
}

function seenOf({ head, parts: [body, answer] }: Recorded): Omit<Seen, 'contract'> {
  const [serial = '', time, method = '', operation = '', status, durationMs, ...rest] =
    head.split('\n')
  const [path = '', account = '', client = '', changed = ''] = rest
  return {
    ...{ serial, time: new Date(Number(time)), method, operation, path, body, answer },
    status: Number(status),
    durationMs: Number(durationMs),
    account: account === '' ? undefined : account,
    client: client === '' ? undefined : client,
    changes: changed === '' ? {} : JSON.parse(changed),
  }
}

/** As JSON, by hand: the names of tables need no quoting. Empty when there are none. */
function textOf(changes: Seen['changes']): string {
  let text = ''
  for (const table in changes) text += `${text === '' ? '{' : ','}"${table}":${changes[table]}`
  return text === '' ? '' : `${text}}`
}
