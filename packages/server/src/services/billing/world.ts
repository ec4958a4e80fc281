/** The `bills` of a world file, in the interface's own form: they stand beside those made from usage. */
import { japanMonthStart, parseDatetime } from '../../kernel/datetime.ts'
import { NO_NUL } from '../../kernel/fields.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { type Account, AccountStore } from '../account/public.ts'
import { PriceList } from '../pricing/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { DetailStore } from './detail-store.ts'
import { type Bill, type Detail, LAST_BILL_ID, PAYMENT_CLASS_ID } from './rules.ts'
import { BillStore, findBill, listGivenBills } from './store.ts'
import { billToWire, detailToWire } from './wire.ts'

const closed = { additionalProperties: false }
const Yen = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
const Text = Type.String({ maxLength: 255, pattern: NO_NUL })

const DetailEntry = Type.Object(
  {
    Index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    ContractID: Text,
    /** What the CSV shows as the resource's name. */
    Name: Type.Optional(Text),
    ServiceClassID: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Usage: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    Amount: Yen,
  },
  closed,
)

const BillEntry = Type.Object(
  {
    account: Type.String(),
    Bill: Type.Object(
      {
        BillID: Type.Integer({ minimum: 1, maximum: LAST_BILL_ID }),
        Date: Type.String(),
        PayLimit: Type.String(),
        Paid: Type.Boolean(),
        Amount: Yen,
        PaymentClassID: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
        MemberID: Type.Optional(Text),
      },
      closed,
    ),
    details: Type.Array(DetailEntry),
  },
  closed,
)
type BillEntry = Static<typeof BillEntry>

export const billsSection: WorldSection = {
  key: 'bills',
  schema: Type.Array(BillEntry),
  async apply(value, tx) {
    const changes: Change[] = []
    // The schema above has been checked by whoever calls apply.
    for (const [index, entry] of (value as BillEntry[]).entries()) {
      changes.push(await applyBill(entry, index, tx))
    }
    return countChanges(changes)
  },
  async export(tx) {
    const bills = await listGivenBills(tx)
    if (bills.length === 0) return undefined
    const accounts = await new AccountStore(tx).list()
    const code = (bill: Bill) => accounts.find(({ id }) => id === bill.accountId)?.code ?? ''
    const entries: unknown[] = []
    for (const bill of bills) {
      const details = await new DetailStore(tx, bill.id).list()
      const lines = details.map((one) => ({ ...detailToWire(one), Name: one.resourceName }))
      entries.push({ account: code(bill), Bill: billToWire(bill), details: lines })
    }
    return entries
  },
}

async function applyBill(entry: BillEntry, index: number, tx: Tx): Promise<Change> {
  const account = await new AccountStore(tx).find(entry.account)
  if (account === undefined) {
    const code = entry.account
    throw new WorldProblem([index, 'account'], `${code} does not exist.`, `${code} はありません。`)
  }
  const bill = billOf(entry, account, index)
  const details = await detailsOf(entry, account, index, tx)
  const store = new BillStore(tx, account.id)
  const lines = new DetailStore(tx, bill.id)
  const found = await findBill(tx, bill.id)
  if (found === undefined) {
    await tx.reserve('bill', bill.id)
    await store.insert(bill)
    await insertAll(lines, details)
    return 'created'
  }
  if (!found.isGiven || found.accountId !== account.id) {
    throw new WorldProblem([index, 'Bill', 'BillID'], 'is taken.', 'は使用済みです。')
  }
  const stored = [found, await lines.list()]
  if (JSON.stringify(stored) === JSON.stringify([bill, details])) return 'unchanged'
  await store.update(bill)
  await lines.deleteAll()
  await insertAll(lines, details)
  return 'updated'
}

function billOf({ Bill: wanted }: BillEntry, account: Account, index: number): Bill {
  const time = (field: 'Date' | 'PayLimit'): Date => {
    const date = parseDatetime(wanted[field])
    if (date !== undefined) return date
    const en = 'must be a datetime with an offset, such as 2026-03-01T00:00:00+09:00.'
    const ja = 'は 2026-03-01T00:00:00+09:00 のようなオフセット付き日時です。'
    throw new WorldProblem([index, 'Bill', field], en, ja)
  }
  return {
    id: wanted.BillID,
    accountId: account.id,
    memberCode: wanted.MemberID ?? account.member.code,
    month: japanMonthStart(time('Date')),
    paymentClassId: wanted.PaymentClassID ?? PAYMENT_CLASS_ID,
    amount: wanted.Amount,
    state: wanted.Paid ? 'paid' : 'unpaid',
    payLimit: time('PayLimit'),
    isGiven: true,
  }
}

/** In the order of Index, which counts from 0 without gaps; their sum is the bill's amount. */
async function detailsOf(
  { Bill: wanted, details }: BillEntry,
  account: Account,
  index: number,
  tx: Tx,
): Promise<Detail[]> {
  const prices = await PriceList.of(tx, account.id)
  const lines = details
    .map((one): Detail => {
      const product = prices.find(one.ServiceClassID)
      return {
        place: one.Index,
        resourceId: one.ContractID,
        resourceName: one.Name ?? '',
        product: one.ServiceClassID,
        productName: product?.displayName ?? '',
        zone: product?.zone,
        measure: product?.measure ?? 'time',
        used: one.Usage,
        amount: one.Amount,
      }
    })
    .sort((a, b) => a.place - b.place)
  if (lines.some(({ place }, expected) => place !== expected)) {
    const en = 'must be numbered by Index from 0, without gaps.'
    throw new WorldProblem([index, 'details'], en, 'の Index は 0 からの連番です。')
  }
  const sum = lines.reduce((total, { amount }) => total + amount, 0)
  if (sum !== wanted.Amount) {
    const en = `must be the sum of the details, ${sum}.`
    throw new WorldProblem([index, 'Bill', 'Amount'], en, `は明細の合計 ${sum} と一致しません。`)
  }
  return lines
}

async function insertAll(lines: DetailStore, details: readonly Detail[]): Promise<void> {
  const some = 1000
  for (let from = 0; from < details.length; from += some) {
    await lines.insert(details.slice(from, from + some))
  }
}
