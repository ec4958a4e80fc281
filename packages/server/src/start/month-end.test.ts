/** What nobody waits a month for: up to a thousand SIMs over a month end, twice, with the same bytes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { sized } from '../testing/size.ts'
import { startCloud } from './testing.ts'

const SIMS = sized(1000, 300)
const AT_ONCE = 50
const FIRST = 8981040000000000000n
const ACCOUNT = '900000000001'
const iccidOf = (n: number) => String(FIRST + BigInt(n))
const iccids = Array.from({ length: SIMS }, (_, n) => iccidOf(n))

const WORLD = {
  version: 1,
  accounts: [
    {
      ...{ id: ACCOUNT, code: 'acme', name: 'Acme', member: { code: 'mem00001', class: 'member' } },
      keys: [{ token: 't', secret: 's', permission: 'create', external: ['bill'] }],
    },
  ],
  sim_cards: [{ iccid_from: iccidOf(0), count: SIMS, passcode: 'pass{n}' }],
  sims: iccids.map((ICCID, n) => ({
    ...{ account: 'acme', activated: true },
    CommonServiceItem: { Name: `meter-${n}`, Status: { ICCID } },
  })),
  gateways: [{ account: 'acme', zone: 'is1a', Appliance: { Name: 'meters' }, sims: iccids }],
}

/** What every answer of a month says, in one number. */
async function month(): Promise<{ readonly bytes: string; readonly bill: { Amount: number } }> {
  await using cloud = await startCloud({
    world: WORLD,
    seed: 'month',
    clock: new Date('2026-04-15T00:00:00+09:00'),
  })
  const told = createHash('sha256')
  const ask = async (path: string) => {
    const headers = { authorization: `Basic ${btoa('t:s')}` }
    const answer = await cloud.fetch(`/cloud/zone/is1a/api${path}`, { headers })
    const text = await answer.text()
    assert.equal(answer.status, 200, text)
    told.update(text)
    return JSON.parse(text)
  }
  for (let from = 0; from < SIMS; from += AT_ONCE) {
    await Promise.all(
      iccids.slice(from, from + AT_ONCE).map(async (iccid, n) => {
        const device = (verb: string, body: object) =>
          cloud.operator('POST', `/devices/${iccid}/${verb}`, body)
        const { carrier } = cloud
        const attached = await device('attach', { imei: '490154203237518', carrier })
        assert.equal(attached.accepted, true)
        const bytes = { uplink_bytes: 1_000_000 + n, downlink_bytes: 5_000_000 }
        await device('traffic', bytes)
      }),
    )
  }
  await cloud.clock.advance({ days: 31 })
  const { Bills } = await ask(`/system/1.0/bill/by-contract/${ACCOUNT}`)
  assert.equal(Bills.length, 2, 'the final bill of April and the running one of May')
  const [bill] = Bills.filter(({ Date: date }: { Date: string }) => date.startsWith('2026-04'))
  const details = `/system/1.0/billdetail/${bill.MemberID}/${bill.BillID}`
  const { BillDetails } = await ask(details)
  const sum = BillDetails.reduce((all: number, { Amount }: { Amount: number }) => all + Amount, 0)
  assert.equal(sum, bill.Amount)
  await ask(`${details}/csv`)
  await ask(`/cloud/1.1/commonserviceitem?${encodeURIComponent('{"Include":["*","Status.sim"]}')}`)
  return { bytes: told.digest('hex'), bill }
}

describe(`a month end with ${SIMS} SIMs`, () => {
  test('gives the right bill, and the same bytes twice for the same seed', async () => {
    const first = await month()
    assert.ok(first.bill.Amount > SIMS, 'every SIM is on it')
    assert.deepEqual(await month(), first)
  })
})
