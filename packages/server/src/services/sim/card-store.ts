import type { AccountId } from '../../kernel/ids.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { deleteOlder } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import { type Card, type CardRange, cardOfRange } from './card-rules.ts'

interface CardRow {
  iccid: string
  pass_code: string
  imsis: string
  msisdn: string | null
}

interface RangeRow {
  iccid_from: string
  iccid_to: string
  pass_code: string
}

type FoundRow = (CardRow | (RangeRow & { imsis: null; msisdn: null })) & {
  failed_at: number | null
}

export const SEALED: readonly SealedColumn[] = [
  { table: 'sim_card', column: 'pass_code', key: ['iccid'], owner },
  { table: 'sim_card_range', column: 'pass_code', key: ['iccid_from'], owner },
]

/** Which of the wrong pass codes of an account is asked for. */
export interface Tries {
  readonly accountId: AccountId
  readonly since: Date
  readonly lastBut: number
}

export interface Found {
  readonly card: Card
  readonly failedAt: Date | undefined
}

const RANGE = raw('iccid_from, iccid_to, pass_code')

/** The operator's cards. Pass codes lie sealed, bound to the ICCID that they begin at. */
export class CardStore {
  readonly #tx: Tx
  readonly #box: SecretBox

  constructor(tx: Tx, box: SecretBox) {
    this.#tx = tx
    this.#box = box
  }

  /**
   * A card that is declared by itself goes before the range that it lies in. `failedAt` is when a wrong pass
   * code was tried for it by that account, since then and the last but so many.
   */
  async find(iccid: string, { accountId, since, lastBut }: Tries): Promise<Found | undefined> {
    const [first, second] = await this.#tx.all<FoundRow>(
      sql`SELECT found.*, (SELECT failed_at FROM pass_code_failure
            WHERE account_id = ${accountId} AND iccid = ${iccid} AND failed_at > ${since}
            ORDER BY failed_at DESC LIMIT 1 OFFSET ${lastBut}) AS failed_at
          FROM (
            SELECT iccid, NULL AS iccid_from, NULL AS iccid_to, pass_code, imsis, msisdn
            FROM sim_card WHERE iccid = ${iccid}
            UNION ALL
            SELECT NULL, iccid_from, iccid_to, pass_code, NULL, NULL
            FROM (SELECT ${RANGE} FROM sim_card_range WHERE iccid_from <= ${iccid}
                  ORDER BY iccid_from DESC LIMIT 1) AS nearest
            WHERE iccid_to >= ${iccid}) AS found`,
    )
    const row = second?.imsis == null ? first : second
    return row && { card: this.#toFound(row, iccid), failedAt: toDate(row.failed_at) }
  }

  async findSingle(iccid: string): Promise<Card | undefined> {
    const row = await this.#tx.first<CardRow>(
      sql`SELECT iccid, pass_code, imsis, msisdn FROM sim_card WHERE iccid = ${iccid}`,
    )
    return row && this.#toCard(row)
  }

  /** The ICCID of the card with this number. */
  async findByMsisdn(msisdn: string): Promise<string | undefined> {
    const row = await this.#tx.first<{ iccid: string }>(
      sql`SELECT iccid FROM sim_card WHERE msisdn = ${msisdn}`,
    )
    return row?.iccid
  }

  findRange(iccidFrom: string): Promise<CardRange | undefined> {
    return this.#findRange(sql`iccid_from = ${iccidFrom}`)
  }

  /** Another range that has cards of this one. */
  findOverlap({ iccidFrom, iccidTo }: CardRange): Promise<CardRange | undefined> {
    return this.#findRange(
      sql`iccid_from <> ${iccidFrom} AND iccid_from <= ${iccidTo} AND iccid_to >= ${iccidFrom} LIMIT 1`,
    )
  }

  async #findRange(where: Sql): Promise<CardRange | undefined> {
    const row = await this.#tx.first<RangeRow>(
      sql`SELECT ${RANGE} FROM sim_card_range WHERE ${where}`,
    )
    return row && this.#toRange(row)
  }

  async put({ iccid, passCode, imsis, msisdn }: Card): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO sim_card (iccid, pass_code, imsis, msisdn)
          VALUES (${iccid}, ${this.#box.seal(passCode, owner(iccid))}, ${imsis.join('\n')},
                  ${msisdn ?? null})
          ON CONFLICT (iccid) DO UPDATE SET pass_code = excluded.pass_code, imsis = excluded.imsis,
            msisdn = excluded.msisdn`,
    )
  }

  async putRange({ iccidFrom, iccidTo, passCode }: CardRange): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO sim_card_range (${RANGE})
          VALUES (${iccidFrom}, ${iccidTo}, ${this.#box.seal(passCode, owner(iccidFrom))})
          ON CONFLICT (iccid_from) DO UPDATE SET iccid_to = excluded.iccid_to,
            pass_code = excluded.pass_code`,
    )
  }

  /** With the pass codes as they lie: for an export, which must not open them. */
  async listSealed(): Promise<Card[]> {
    const rows = await this.#tx.all<CardRow>(
      raw('SELECT iccid, pass_code, imsis, msisdn FROM sim_card ORDER BY iccid'),
    )
    return rows.map((row) => toCard(row, row.pass_code))
  }

  async listSealedRanges(): Promise<CardRange[]> {
    const rows = await this.#tx.all<RangeRow>(
      sql`SELECT ${RANGE} FROM sim_card_range ORDER BY iccid_from`,
    )
    return rows.map((row) => ({
      iccidFrom: row.iccid_from,
      iccidTo: row.iccid_to,
      passCode: row.pass_code,
    }))
  }

  /** Undefined when it was sealed under another key, or for another card. */
  open(sealed: string, iccid: string): string | undefined {
    try {
      return this.#box.open(sealed, owner(iccid))
    } catch {
      return undefined
    }
  }

  #toFound(row: FoundRow, iccid: string): Card {
    return row.imsis === null ? cardOfRange(this.#toRange(row), iccid) : this.#toCard(row)
  }

  #toCard(row: CardRow): Card {
    return toCard(row, this.#box.open(row.pass_code, owner(row.iccid)))
  }

  #toRange(row: RangeRow): CardRange {
    return {
      iccidFrom: row.iccid_from,
      iccidTo: row.iccid_to,
      passCode: this.#box.openOften(row.pass_code, owner(row.iccid_from)),
    }
  }
}

function toCard({ iccid, imsis, msisdn }: CardRow, passCode: string): Card {
  return { iccid, passCode, imsis: imsis.split('\n'), msisdn: msisdn ?? undefined }
}

function toDate(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time)
}

function owner(iccid: string): string {
  return `sim_card ${iccid}`
}

/** The wrong tries of all accounts that no longer count. */
export async function oldestFailure(tx: Tx): Promise<number | undefined> {
  const row = await tx.first<{ failed_at: number | null }>(
    sql`SELECT min(failed_at) AS failed_at FROM pass_code_failure`,
  )
  return row?.failed_at ?? undefined
}

export function deleteFailures(tx: Tx, before: Date, most: number): Promise<number> {
  const key = 'account_id, iccid, failed_at'
  return deleteOlder(tx, { table: 'pass_code_failure', key, time: 'failed_at' }, before, most)
}

/** Wrong pass codes that one account tried. */
export class FailureStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async insert(iccid: string, now: Date, forgetBefore: Date): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM pass_code_failure WHERE account_id = ${this.#accountId}
            AND iccid = ${iccid} AND failed_at <= ${forgetBefore}`,
    )
    await this.#tx.run(
      sql`INSERT INTO pass_code_failure (account_id, iccid, failed_at)
          VALUES (${this.#accountId}, ${iccid}, ${now})`,
    )
  }
}
