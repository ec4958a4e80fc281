/**
 * One session with the server. Statements are prepared once, written one after the other without waiting for
 * answers, and answered in their order; what is asked for in one turn of the program goes out together. A driver
 * of our own, since a general one costs six times as much a statement (docs/adr/0163).
 */
import type { Socket } from 'node:net'
import { stopwatch } from '../../kernel/clock.ts'
import type { Sql, SqlValue } from '../sql.ts'
import type { Address } from './address.ts'
import { type Asked, type Asks, Watched } from './asked.ts'
import { ConnectionLost, isStale, readError } from './error.ts'
import { Frames } from './frames.ts'
import { login } from './login.ts'
import { Messages, TERMINATE } from './messages.ts'
import { RowReader, rowMaker, valueTypes } from './rows.ts'
import { type Statement, Statements } from './statements.ts'

const TYPE = {
  row: 0x44,
  done: 0x43,
  empty: 0x49,
  parsed: 0x31,
  values: 0x74,
  columns: 0x54,
  error: 0x45,
  ready: 0x5a,
}
const IDLE = 0x49
/**
 * A plan that was made for an empty table is kept until the server has statistics of it, a minute or more: it read
 * every item of an account to find one. So plans are made anew from time to time.
 */
const PLANS_MS = 5000
/** What is expected next: the answer to a statement, or the end of what was sent together. */
interface Expected {
  readonly asked: Asked | undefined
  readonly statement: Statement | undefined
  readonly ready: (() => void) | undefined
}

export class Connection implements Asks {
  /** In milliseconds. */
  readonly age = stopwatch()
  readonly #socket: Socket
  readonly #messages = new Messages()
  readonly #reader = new RowReader()
  readonly #statements = new Statements(this.#messages)
  readonly #onClose: (connection: Connection) => void
  #expected: Expected[] = []
  #next = 0
  #isFlushing = false
  /** Where in what is expected the error came. */
  #culprit = -1
  /** Of what is answered now: nothing more of it is carried out. */
  #error: Error | undefined
  /** The first one of this transaction: what is asked for after it fails with it, too. */
  #failure: Error | undefined
  /** What fails until then is the end of the transaction before. */
  #isBeginning = false
  #plannedAt = 0
  #isIdle = true
  #isClosed = false
  #isSpoilt = false

  private constructor(socket: Socket, onClose: (connection: Connection) => void) {
    this.#socket = socket
    this.#onClose = onClose
    const frames = new Frames((type, bytes, at, end) => this.#read(type, bytes, at, end))
    socket.on('data', (piece) => frames.push(piece))
    socket.on('error', (error) => this.#lose(error))
    socket.on('close', () => this.#lose(new ConnectionLost('The database has gone away')))
  }

  static async open(address: Address, onClose: (connection: Connection) => void) {
    return new Connection(await login(address), onClose)
  }

  /** Can be given to the next one who needs a connection. */
  get isFit(): boolean {
    return this.#isIdle && !this.#isClosed && !this.#isSpoilt
  }

  /** Nothing has gone wrong on it. */
  get isSound(): boolean {
    return this.#failure === undefined && !this.#isClosed && !this.#isSpoilt
  }

  /** What has gone wrong in this transaction. */
  get failure(): Error | undefined {
    return this.#failure
  }

  begin(options: string, gate: string, asked: Asked): void {
    if (this.age() - this.#plannedAt > PLANS_MS) {
      this.#plannedAt = this.age()
      this.command('DISCARD PLANS', asked)
      this.flush()
    }
    this.#failure = undefined
    this.#isIdle = false
    this.#isBeginning = true
    const begun = (error?: Error) => {
      this.#isBeginning = false
      this.#failure ??= error
    }
    this.command(`BEGIN ISOLATION LEVEL ${options}`, new Watched(asked, begun))
    this.command(gate, asked)
  }

  /** What is asked for after it is carried out even if something before it fails. */
  divide(): void {
    if (this.#isClosed) return
    this.#messages.sync()
    this.#expected.push(END)
  }

  ask(query: Sql, asked: Asked): void {
    if (this.#refuses(asked)) return
    const statement = this.#statements.of(query)
    this.#messages.bindAndExecute(statement.name, query.values)
    this.#expect(asked, statement)
  }

  /** One whose values are arrays: with one element for each of the rows. */
  askForAll(query: Sql, rows: readonly (readonly SqlValue[])[], asked: Asked): void {
    if (this.#refuses(asked)) return
    const statement = this.#statements.of(query)
    this.#messages.bindArraysAndExecute(statement.name, rows)
    this.#expect(asked, statement)
  }

  /** What is known of a fixed statement that has been asked for here before. */
  find(query: Sql): Statement | undefined {
    return this.#statements.find(query)
  }

  /** Text of our own without values. */
  command(text: string, asked: Asked): void {
    if (this.#refuses(asked)) return
    const statement = this.#statements.ofText(text)
    this.#messages.bindAndExecute(statement.name, [])
    this.#expect(asked, statement)
  }

  /** Several statements in one text, as a transaction of their own. */
  script(text: string, asked: Asked): void {
    if (this.#refuses(asked)) return
    if (this.#isIdle) this.#failure = undefined
    this.#messages.query(text)
    this.#expected.push({ asked, statement: undefined, ready: undefined }, END)
    this.#write()
  }

  /** Rows in the text form of COPY, piece by piece; nothing else may be asked for meanwhile. */
  async copy(text: string, pieces: Iterable<string>, asked: Asked): Promise<void> {
    this.flush()
    let isRefused = false
    const fail = (error: Error, isOwn: boolean) => {
      isRefused = true
      asked.fail(error, isOwn)
    }
    this.script(text, { row() {}, done: (bytes, end) => asked.done(bytes, end), fail })
    for (const piece of pieces) {
      if (isRefused) return
      this.#messages.copyData(piece)
      if (!this.#write()) await new Promise<void>((resolve) => this.#drained(resolve))
    }
    this.#messages.copyDone()
    this.#write()
  }

  /** Sends what was asked for; `ready` when all of it is answered. Comes by itself at the end of the turn. */
  flush(ready?: () => void): void {
    this.#isFlushing = false
    if (this.#isClosed) {
      ready?.()
      return
    }
    if (this.#messages.isEmpty && this.#tell(ready)) return
    this.#messages.sync()
    this.#expected.push(
      ready === undefined ? END : { asked: undefined, statement: undefined, ready },
    )
    this.#write()
  }

  /** All has been sent: nothing more is sent for the sake of telling that it is answered. */
  #tell(ready: (() => void) | undefined): boolean {
    if (ready === undefined) return true
    const last = this.#expected.length - 1
    if (last >= this.#next && this.#expected[last] !== END) return false
    if (last >= this.#next) this.#expected[last] = { asked: undefined, statement: undefined, ready }
    else ready()
    return true
  }

  close(): void {
    if (this.#isClosed) return
    this.#socket.end(TERMINATE)
    this.#lose(new ConnectionLost('The connection to the database was closed'))
  }

  #refuses(asked: Asked): boolean {
    if (!this.#isClosed) return false
    asked.fail(this.#failure ?? new ConnectionLost('The database has gone away'), true)
    return true
  }

  #expect(asked: Asked, statement: Statement): void {
    this.#expected.push({ asked, statement, ready: undefined })
    if (this.#isFlushing) return
    this.#isFlushing = true
    // After all that can go on now has gone on, so that it goes out together: a tick that is asked for
    // between promises comes when there are none left.
    queueMicrotask(() => process.nextTick(() => this.#isFlushing && this.flush()))
  }

  #write(): boolean {
    return this.#socket.write(this.#messages.take())
  }

  #drained(resume: () => void): void {
    const done = () => {
      this.#socket.off('drain', done).off('close', done)
      resume()
    }
    this.#socket.on('drain', done).on('close', done)
  }

  #read(type: number, bytes: Buffer, at: number, end: number): void {
    const expected = this.#expected[this.#next]
    switch (type) {
      case TYPE.row:
        this.#readRow(expected, bytes, at, end)
        break
      case TYPE.done:
      case TYPE.empty:
        this.#complete(expected, bytes, end)
        break
      case TYPE.parsed:
        if (expected?.statement !== undefined) expected.statement.isPrepared = true
        break
      case TYPE.values:
        if (expected?.statement !== undefined) expected.statement.types = valueTypes(bytes, at)
        break
      case TYPE.columns:
        if (expected?.statement !== undefined) expected.statement.toRow = rowMaker(bytes, at)
        break
      case TYPE.error:
        this.#fail(readError(bytes, at))
        break
      case TYPE.ready:
        this.#ready(bytes[at] === IDLE)
        break
      // All others say that something went well, or are of no interest: notices, parameters.
    }
  }

  #readRow(expected: Expected | undefined, bytes: Buffer, at: number, end: number): void {
    const toRow = expected?.statement?.toRow
    if (toRow === undefined) return
    expected?.asked?.row(toRow, this.#reader.begin(bytes, at), bytes, at, end)
  }

  #complete(expected: Expected | undefined, bytes: Buffer, end: number): void {
    if (expected?.asked === undefined) return
    // A script completes once for each of its statements and is done when the server is ready.
    if (expected.statement === undefined) return
    this.#next += 1
    expected.asked.done(bytes, end)
  }

  #fail(error: Error): void {
    if (this.#error === undefined) this.#culprit = this.#next
    this.#error ??= error
    if (!this.#isBeginning) this.#failure ??= error
    if (isStale(error)) this.#isSpoilt = true
  }

  /** All that was sent together is answered, or passed over after an error. */
  #ready(isIdle: boolean): void {
    this.#isIdle = isIdle
    for (;;) {
      const isOwn = this.#next === this.#culprit
      const expected = this.#expected[this.#next]
      this.#next += 1
      if (expected?.asked === undefined) {
        this.#error = undefined
        this.#culprit = -1
        if (this.#next === this.#expected.length) {
          this.#expected = []
          this.#next = 0
        }
        expected?.ready?.()
        return
      }
      if (this.#error === undefined) expected.asked.done(NOTHING, 0)
      else this.#passOver(expected, expected.asked, isOwn)
    }
  }

  #passOver({ statement }: Expected, asked: Asked, isOwn: boolean): void {
    if (statement?.isPrepared === false) this.#statements.forget(statement)
    asked.fail(this.#failure ?? this.#error ?? new Error('The database gives no reason'), isOwn)
  }

  #lose(error: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#socket.destroySoon()
    const waiting = this.#expected.slice(this.#next)
    this.#expected = []
    this.#next = 0
    // The server's own words, when it said why, tell more.
    this.#failure = this.#error ?? error
    this.#onClose(this)
    for (const { asked, ready } of waiting) {
      asked?.fail(this.#failure, true)
      ready?.()
    }
  }
}

const END: Expected = { asked: undefined, statement: undefined, ready: undefined }
const NOTHING = Buffer.alloc(0)
