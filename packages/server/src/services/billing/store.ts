import { Forbidden, NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import type { Bill, BillState } from './rules.ts'

interface BillRow {
  id: number
  account_id: AccountId
  month: number
  member_code: string
  payment_class_id: number
  amount: number
  state: BillState
  pay_limit: number
  is_given: number
}

const BILL = raw(`id, account_id, month, member_code, payment_class_id, amount, state, pay_limit,
  is_given`)

/**
 * The bills of one account. Another account's is 403 and not 404 in this group (docs/billing.md), so the
 * store tells the two apart, and gives out neither.
 */
export class BillStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async get(id: number): Promise<Bill> {
    const bill = await findBill(this.#tx, id)
    if (bill === undefined) throw noSuchBill(id)
    if (bill.accountId !== this.#accountId) {
      throw new Forbidden(
        `Bill ${id} belongs to another account.`,
        `請求 ${id} は他のアカウントのものです。`,
      )
    }
    return bill
  }

  /** Our own of that month. */
  async findMade(month: Date): Promise<Bill | undefined> {
    const [bill] = await this.#list(sql`month = ${month} AND is_given = 0`)
    return bill
  }

  /** Whether a world has brought one for that month. */
  async isDeclared(month: Date): Promise<boolean> {
    return (await this.#list(sql`month = ${month} AND is_given = 1`)).length > 0
  }

  /** Newest month first; `from` and `to` bound the months, the second one left out. */
  list(from: Date, to: Date): Promise<Bill[]> {
    return this.#list(sql`month >= ${from} AND month < ${to}`)
  }

  async #list(where: Sql): Promise<Bill[]> {
    const rows = await this.#tx.all<BillRow>(
      sql`SELECT ${BILL} FROM bill WHERE account_id = ${this.#accountId} AND ${where}
          ORDER BY month DESC, id DESC`,
    )
    return rows.map(toBill)
  }

  /** False when the number is taken, or the month has our own bill already. */
  async insert(bill: Bill): Promise<boolean> {
    const inserted = await this.#tx.run(
      sql`INSERT INTO bill (${BILL})
          VALUES (${bill.id}, ${this.#accountId}, ${bill.month}, ${bill.memberCode},
                  ${bill.paymentClassId}, ${bill.amount}, ${bill.state}, ${bill.payLimit},
                  ${bill.isGiven})
          ON CONFLICT DO NOTHING`,
    )
    return inserted === 1
  }

  async update(bill: Bill): Promise<void> {
    await this.#tx.run(
      sql`UPDATE bill SET month = ${bill.month}, member_code = ${bill.memberCode},
            payment_class_id = ${bill.paymentClassId}, amount = ${bill.amount},
            state = ${bill.state}, pay_limit = ${bill.payLimit}
          WHERE account_id = ${this.#accountId} AND id = ${bill.id}`,
    )
  }

  async delete(id: number): Promise<void> {
    await this.#tx.run(sql`DELETE FROM bill WHERE account_id = ${this.#accountId} AND id = ${id}`)
  }
}

/** For the operator, whoever owns it. */
export async function findBill(tx: Tx, id: number): Promise<Bill | undefined> {
  const row = await tx.first<BillRow>(sql`SELECT ${BILL} FROM bill WHERE id = ${id}`)
  return row && toBill(row)
}

export async function getBill(tx: Tx, id: number): Promise<Bill> {
  const bill = await findBill(tx, id)
  if (bill === undefined) throw noSuchBill(id)
  return bill
}

/** Of all accounts, newest month first. */
export async function listBills(tx: Tx, from: number, count: number): Promise<Bill[]> {
  const rows = await tx.all<BillRow>(
    sql`SELECT ${BILL} FROM bill ORDER BY month DESC, id DESC LIMIT ${count} OFFSET ${from}`,
  )
  return rows.map(toBill)
}

export async function countBills(tx: Tx): Promise<number> {
  const row = await tx.first<{ total: number }>(raw('SELECT count(*) AS total FROM bill'))
  return row?.total ?? 0
}

/** Those of worlds, in the order of their numbers. */
export async function listGivenBills(tx: Tx): Promise<Bill[]> {
  const rows = await tx.all<BillRow>(sql`SELECT ${BILL} FROM bill WHERE is_given = 1 ORDER BY id`)
  return rows.map(toBill)
}

function noSuchBill(id: number): NotFound {
  return new NotFound(`There is no bill ${id}.`, `請求 ${id} はありません。`)
}

function toBill(row: BillRow): Bill {
  return {
    id: row.id,
    accountId: row.account_id,
    memberCode: row.member_code,
    month: new Date(row.month),
    paymentClassId: row.payment_class_id,
    amount: row.amount,
    state: row.state,
    payLimit: new Date(row.pay_limit),
    isGiven: row.is_given === 1,
  }
}
