/** What a connection has prepared. */
import type { Sql } from '../sql.ts'
import type { Messages } from './messages.ts'
import type { RowMaker } from './rows.ts'
import { textOf } from './text.ts'

export interface Statement {
  readonly key: readonly string[] | string
  /** Empty for one that is used once. */
  readonly name: string
  toRow: RowMaker | undefined
  /** Of its values, by the server's numbers. */
  types: readonly number[] | undefined
  isPrepared: boolean
}

/** Searches compile to many texts; past this the oldest are let go. */
const MOST_TEXTS = 200
/** Others, such as CREATE TABLE, come once. */
const COMES_AGAIN = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|LOCK)\b/i

export class Statements {
  readonly #messages: Messages
  readonly #byChunks = new WeakMap<readonly string[], Statement>()
  readonly #byText = new Map<string, Statement>()
  #names = 0

  /** One that is not known yet is prepared by messages before those that use it. */
  constructor(messages: Messages) {
    this.#messages = messages
  }

  of(query: Sql): Statement {
    if (!query.isFixed) return this.ofText(textOf(query))
    const known = this.#byChunks.get(query.chunks)
    if (known !== undefined) return known
    const statement = this.#prepare(query.chunks, textOf(query), this.#newName())
    this.#byChunks.set(query.chunks, statement)
    return statement
  }

  /** Only when it is prepared already. */
  find({ chunks, isFixed }: Sql): Statement | undefined {
    return isFixed ? this.#byChunks.get(chunks) : undefined
  }

  ofText(text: string): Statement {
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    if (!COMES_AGAIN.test(text)) return this.#prepare(text, text, '')
    const statement = this.#prepare(text, text, this.#newName())
    this.#byText.set(text, statement)
    if (this.#byText.size > MOST_TEXTS) this.#closeOldest()
    return statement
  }

  /** The server has not come to it. */
  forget({ key }: Statement): void {
    if (typeof key === 'string') this.#byText.delete(key)
    else this.#byChunks.delete(key)
  }

  #prepare(key: Statement['key'], text: string, name: string): Statement {
    this.#messages.parse(name, text)
    this.#messages.describe(name)
    return { key, name, toRow: undefined, types: undefined, isPrepared: false }
  }

  /** What was asked for with it before is answered before it is closed. */
  #closeOldest(): void {
    for (const [text, { name }] of this.#byText) {
      this.#byText.delete(text)
      this.#messages.close(name)
      return
    }
  }

  #newName(): string {
    this.#names += 1
    return `s${this.#names}`
  }
}
