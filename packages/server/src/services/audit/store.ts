/** The rows of the trail. Nothing here changes the content of a row. */
import type { AuditEntry } from '../../kernel/audit-entry.ts'
import type { Tx } from '../../storage/database.ts'
import { join, raw, type Sql, sql } from '../../storage/sql.ts'
import { type ChainedEntry, type Link, ORIGIN, type StoredEntry } from './rules.ts'

interface AuditRow {
  id: number
  at: number
  caller: string
  account: string | null
  address: string
  client: string | null
  operation: string
  target: string
  status: number
  code: string | null
  serial: string
  chain_number: number | null
  hash: string | null
}

const CONTENT = raw('at, caller, account, address, client, operation, target, status, code, serial')
const ROW = sql`id, ${CONTENT}, chain_number, hash`

/** Where the chain begins (after what was deleted) and ends. */
export interface Ends {
  readonly first: Link
  readonly last: Link
}

export interface Wanted {
  readonly account?: string | undefined
  readonly operation?: string | undefined
  readonly serial?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
}

export class AuditStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async insert(entry: AuditEntry): Promise<void> {
    const { at, caller, account = null, address, client = null, operation } = entry
    await this.#tx.run(
      sql`INSERT INTO audit (${CONTENT})
          VALUES (${at}, ${caller}, ${account}, ${address}, ${client}, ${operation},
                  ${JSON.stringify(entry.target)}, ${entry.status}, ${entry.code ?? null},
                  ${entry.serial})`,
    )
  }

  async find(id: number): Promise<StoredEntry | undefined> {
    const [found] = await this.#list(sql`id = ${id}`)
    return found
  }

  /** Newest first; those before `before`, where it is given. */
  list(wanted: Wanted, before: StoredEntry | undefined, most: number): Promise<StoredEntry[]> {
    const { account, operation, serial, since, until } = wanted
    const conditions = [
      account === undefined ? [] : sql`account = ${account}`,
      operation === undefined ? [] : sql`operation = ${operation}`,
      serial === undefined ? [] : sql`serial = ${serial}`,
      since === undefined ? [] : sql`at >= ${since}`,
      until === undefined ? [] : sql`at < ${until}`,
      before === undefined ? [] : sql`(at, id) < (${before.at}, ${before.id})`,
    ].flat()
    const where = conditions.length === 0 ? raw('1 = 1') : join(conditions, ' AND ')
    return this.#list(sql`${where} ORDER BY at DESC, id DESC LIMIT ${most}`)
  }

  /** When the first that is not chained was written: equal keys of the index are in the order of insertion. */
  async oldestUnchained(): Promise<Date | undefined> {
    const row = await this.#tx.first<{ at: number }>(
      raw('SELECT at FROM audit WHERE chain_number IS NULL LIMIT 1'),
    )
    return row === undefined ? undefined : new Date(row.at)
  }

  async countUnchained(): Promise<number> {
    const row = await this.#tx.first<{ total: number }>(
      raw('SELECT count(*) AS total FROM audit WHERE chain_number IS NULL'),
    )
    return row?.total ?? 0
  }

  listUnchained(most: number): Promise<StoredEntry[]> {
    return this.#list(sql`chain_number IS NULL ORDER BY id LIMIT ${most}`)
  }

  /** From the first one where `after` is undefined. */
  async listChained(after: number | undefined, most: number): Promise<ChainedEntry[]> {
    const isLater =
      after === undefined ? raw('chain_number IS NOT NULL') : sql`chain_number > ${after}`
    const entries = await this.#list(sql`${isLater} ORDER BY chain_number LIMIT ${most}`)
    return entries.flatMap((entry) => (isChained(entry) ? entry : []))
  }

  async findLink(number: number): Promise<Link | undefined> {
    const row = await this.#tx.first<{ hash: string }>(
      sql`SELECT hash FROM audit WHERE chain_number = ${number}`,
    )
    return row === undefined ? undefined : { number, hash: row.hash }
  }

  async ends(): Promise<Ends> {
    const row = await this.#tx.first<EndsRow>(
      raw('SELECT first_number, first_hash, last_number, last_hash FROM audit_chain WHERE id = 1'),
    )
    if (row === undefined) return { first: ORIGIN, last: ORIGIN }
    return {
      first: { number: row.first_number, hash: row.first_hash },
      last: { number: row.last_number, hash: row.last_hash },
    }
  }

  async putEnds({ first, last }: Ends): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO audit_chain (id, first_number, first_hash, last_number, last_hash)
          VALUES (1, ${first.number}, ${first.hash}, ${last.number}, ${last.hash})
          ON CONFLICT (id) DO UPDATE SET
            first_number = excluded.first_number, first_hash = excluded.first_hash,
            last_number = excluded.last_number, last_hash = excluded.last_hash`,
    )
  }

  /** Each row gets its link once: fails where another process was first. */
  async link(entries: readonly ChainedEntry[]): Promise<void> {
    // One by one: joined with a list of values, SQLite reads the whole table for each batch.
    const updated = await Promise.all(
      entries.map(({ id, link }) =>
        this.#tx.run(
          sql`UPDATE audit SET chain_number = ${link.number}, hash = ${link.hash}
              WHERE id = ${id} AND chain_number IS NULL`,
        ),
      ),
    )
    if (updated.includes(0)) throw new Error('Another process chains the audit trail.')
  }

  /** When the first row of the chain was written. */
  async oldest(): Promise<Date | undefined> {
    const [first] = await this.listChained(0, 1)
    return first?.at
  }

  /** From the beginning of the chain, which then begins after them. */
  async deleteBefore(time: Date, most: number): Promise<number> {
    const entries = await this.listChained(0, most)
    const kept = entries.findIndex(({ at }) => at >= time)
    const old = kept < 0 ? entries : entries.slice(0, kept)
    const first = old.at(-1)?.link
    if (first === undefined) return 0
    await this.putEnds({ first, last: (await this.ends()).last })
    return this.#tx.run(sql`DELETE FROM audit WHERE chain_number <= ${first.number}`)
  }

  /** Rows that came from elsewhere, with a snapshot, keep their ids. */
  async reserveIds(): Promise<void> {
    const row = await this.#tx.first<{ last: number | null }>(
      raw('SELECT max(id) AS last FROM audit'),
    )
    if (row?.last != null) await this.#tx.reserve('audit', row.last)
  }

  async #list(rest: Sql): Promise<StoredEntry[]> {
    const rows = await this.#tx.all<AuditRow>(sql`SELECT ${ROW} FROM audit WHERE ${rest}`)
    return rows.map(toEntry)
  }
}

interface EndsRow {
  first_number: number
  first_hash: string
  last_number: number
  last_hash: string
}

function isChained(entry: StoredEntry): entry is ChainedEntry {
  return entry.link !== undefined
}

function toEntry(row: AuditRow): StoredEntry {
  const { chain_number: number, hash } = row
  return {
    id: row.id,
    at: toTime(row.at),
    caller: row.caller,
    account: row.account ?? undefined,
    address: row.address,
    client: row.client ?? undefined,
    operation: row.operation,
    target: toTarget(row.target),
    status: row.status,
    code: row.code ?? undefined,
    serial: row.serial,
    link: number === null ? undefined : { number, hash: hash ?? '' },
  }
}

// What we have not written so is shown as it can be: a row that somebody has broken must not hide the others.

function toTime(at: number): Date {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? new Date(0) : time
}

function toTarget(text: string): Readonly<Record<string, string>> {
  try {
    const target: unknown = JSON.parse(text)
    // The store writes nothing else; of other objects the chain says that they were changed.
    if (typeof target === 'object' && target !== null) return target as Record<string, string>
  } catch {
    // Shown below.
  }
  return { unreadable: text }
}
