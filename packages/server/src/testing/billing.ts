/** A cloud that bills: the calls of billing, and the days of a month going by. */

import type { TestContext } from 'node:test'
import { DAY_MS } from '../kernel/units.ts'
import { type Answer, type Ask, basic } from './cloud.ts'
import type { TestEngine } from './engines.ts'
import { openGateways } from './gateways.ts'

export const ACME = '900000000001'

export interface ShownBill {
  readonly BillID: number
  readonly Date: string
  readonly Amount: number
  readonly Paid: boolean
  readonly PayLimit: string
}

export interface ShownDetail {
  readonly ContractID: string
  readonly ServiceClassID: number
  readonly Usage: number
  readonly Amount: number
}

export async function openBilling(
  t: TestContext,
  engine: TestEngine,
  start = '2026-04-28T09:00:00+09:00',
) {
  const cloud = await openGateways(t, engine)
  const { clock, inject } = cloud
  await clock.advanceTo(new Date(start))
  /** The path is below `{api}/system/1.0`. */
  const bill = (path: string, { token = 'acme-token', zone = 'is1a' }: Ask = {}): Promise<Answer> =>
    inject('GET', `/cloud/zone/${zone}/api/system/1.0${path}`, {
      headers: token === null ? {} : { authorization: basic(token) },
    })
  const bills = async (): Promise<ShownBill[]> =>
    (await bill(`/bill/by-contract/${ACME}`)).body.Bills
  const details = async (id: number): Promise<ShownDetail[]> =>
    (await bill(`/billdetail/mem00001/${id}`)).body.BillDetails
  return {
    ...cloud,
    bill,
    bills,
    details,
    days: (count: number) => clock.advanceTo(new Date(clock.now().getTime() + count * DAY_MS)),
    /** Each bill with its lines as `product × usage = yen`, and what its CSV says of its state. */
    async all() {
      const found: { month: string; state: string; amount: number; lines: string[] }[] = []
      for (const one of await bills()) {
        const lines = (await details(one.BillID)).map(
          ({ ServiceClassID, Usage, Amount }) => `${ServiceClassID} × ${Usage} = ${Amount}`,
        )
        const csv: string = (await bill(`/billdetail/mem00001/${one.BillID}/csv`)).body.Body
        const state = /"(pending|unpaid|paid)"/.exec(csv)?.[1] ?? ''
        found.push({ month: one.Date.slice(0, 7), state, amount: one.Amount, lines })
      }
      return found
    },
  }
}
