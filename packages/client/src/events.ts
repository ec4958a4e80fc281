/** Server-sent events as a sequence, which takes up the thread where it broke off. */
import { RefusalError } from './refusal-error.ts'
import type { Element, Result } from './types.ts'

/** A call that was answered, as `requestList` shows it. */
export interface ServerEvent {
  readonly id: string
  readonly type: 'request'
  readonly data: Element<'requestList'>
}

/** Rows that were changed, and by what: a request or a job. */
export interface ChangeEvent {
  readonly id: string
  readonly type: 'change'
  readonly data: {
    readonly time: string
    readonly serial?: string
    readonly job?: string
    readonly rows_changed: Readonly<Record<string, number>>
  }
}

type AnyEvent = ServerEvent | ChangeEvent

export interface EventOptions {
  readonly signal?: AbortSignal
  /** Begins after this one, as far as the server still has what followed. */
  readonly lastEventId?: string
  /** Called whenever the stream is there, the first time and after each break. */
  readonly onOpen?: () => void
}

export type Open = (
  lastEventId: string,
  signal: AbortSignal | undefined,
) => Promise<Result<ReadableStream<Uint8Array>>>

const PAUSE_MS = 1000

export async function* events<T extends AnyEvent>(
  open: Open,
  sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>,
  { signal, lastEventId = '', onOpen }: EventOptions,
  isWanted: (event: AnyEvent) => event is T,
): AsyncGenerator<T, void> {
  let last = lastEventId
  for (let isFirst = true; ; isFirst = false) {
    const stream = await opened(open, last, signal, isFirst)
    if (stream !== undefined) {
      onOpen?.()
      try {
        for await (const event of read(stream)) {
          last = event.id || last
          if (isWanted(event)) yield event
        }
      } catch (error) {
        if (signal?.aborted) throw error
      }
    }
    await sleep(PAUSE_MS, signal)
  }
}

/** The first time a server that is not there is an error; later it may be starting again. */
async function opened(
  open: Open,
  last: string,
  signal: AbortSignal | undefined,
  isFirst: boolean,
): Promise<ReadableStream<Uint8Array> | undefined> {
  try {
    const result = await open(last, signal)
    if (result.ok) return result.data
    throw new RefusalError('eventStream', result.refusal)
  } catch (error) {
    if (isFirst || signal?.aborted || error instanceof RefusalError) throw error
    return undefined
  }
}

async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<AnyEvent, void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parse(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    // Also when the caller has had enough: a stream that nobody reads would hold its connection.
    await reader.cancel().catch(() => undefined)
  }
}

/** A block of comments alone is no event; it keeps the connection alive. */
function parse(block: string): AnyEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split(/\r?\n/)) {
    const colon = line.includes(':') ? line.indexOf(':') : line.length
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const data = fields.get('data')
  const type = fields.get('event')
  if (data === undefined || (type !== 'request' && type !== 'change')) return undefined
  return { id: fields.get('id') ?? '', type, data: JSON.parse(data) }
}
