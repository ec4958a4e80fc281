/**
 * Calls that name several things: one of them is the owner's, for the rest the other account names what it has itself.
 * They must be answered as if the owner's did not exist.
 */
import { gatewayDraft } from '../../packages/server/src/testing/gateways.ts'
import { draft as simDraft } from '../../packages/server/src/testing/sims.ts'
import { type Call, toWire } from '../../tools/fuzz/call.ts'
import { isSuccess } from '../../tools/fuzz/oracle.ts'
import { callOf, learn, Pool, type Step, step } from '../../tools/fuzz/step.ts'
import type { Target } from '../../tools/fuzz/target.ts'
import { MIXING } from './credentials.ts'

/** Of the length of an id. */
const UNKNOWN = '999999999999'
/** The names that the scenario has for what both accounts have. */
const NAMES = ['account', 'member', 'sim', 'device', 'gateway', 'switch', 'project', 'adapter']

const item = (Class: string) => ({
  body: { CommonServiceItem: { Name: 'b', Provider: { Class } } },
})
const gateway = (pool: Pool) => ({ params: { appliance_id: pool.get('gateway') } })
const settings = { 'outgoing-webhook': { url: 'http://127.0.0.1:9/' } }

/** As ready as the owner's things are in the scenario, so that nothing but their owner is in the way. */
const steps: readonly Step[] = [
  step('authStatus', {}, { account: 'Account.ID', member: 'Member.Code' }),
  step('itemCreate', { body: simDraft(61) }, { sim: 'CommonServiceItem.ID' }),
  step('simActivate', (pool) => ({ params: { sim_id: pool.get('sim') } })),
  step('itemCreate', { body: simDraft(62) }, { device: 'CommonServiceItem.ID' }),
  step('simActivate', (pool) => ({ params: { sim_id: pool.get('device') } })),
  step('gatewayCreate', { body: gatewayDraft('b') }, { gateway: 'Appliance.ID' }),
  step('clockAdvance', { body: { by: '10s' } }),
  step('gatewayPowerOff', gateway),
  step('switchCreate', { body: { Switch: { Name: 'b' } } }, { switch: 'Switch.ID' }),
  step('itemCreate', item('iotplatform'), { project: 'CommonServiceItem.ID' }),
  step(
    'adapterCreate',
    (pool) => ({
      params: { project_id: pool.get('project') },
      body: { IoTPlatform: { type: 'outgoing-webhook', name: 'b', settings } },
    }),
    { adapter: 'IoTPlatform.id' },
  ),
]

export interface MixedCall {
  readonly call: Call
  /** The same with ids that nothing has in the place of the owner's. */
  readonly unknown: Call
}

/** What the other account has, by the scenario's names. */
export async function openOthers(target: Target): Promise<Pool> {
  const pool = new Pool()
  for (const step of steps) {
    const call = callOf(step, pool)
    const { authorization = '' } = MIXING
    const isOperators = step.name === 'clockAdvance'
    const headers = isOperators ? call.headers : { ...call.headers, authorization }
    const outcome = await target.send(toWire({ ...call, headers }))
    if (!isSuccess(outcome)) throw new Error(`${step.name}: ${outcome.text}`)
    learn(step, JSON.parse(outcome.text), pool)
  }
  return pool
}

/** Of a call of the owner: each of its ids by itself stays, with the others replaced. */
export function mixedCalls(call: Call, owners: Pool, others: Pool): MixedCall[] {
  const text = JSON.stringify([call.params, call.body])
  const pairs = NAMES.flatMap((name) => {
    const [own, other] = [owners.named.get(name), others.named.get(name)]
    return own !== undefined && other !== undefined && text.includes(own) ? [{ own, other }] : []
  })
  // The number of a bill comes from the world.
  const bill = call.params.bill_id === undefined ? [] : [call.params.bill_id]
  const stay = [...pairs.map(({ own }) => own), ...bill]
  return stay.flatMap((kept) => {
    const replaced = pairs.filter(({ own }) => own !== kept)
    if (replaced.length === 0) return []
    const mixed = replaced.reduce((one, { own, other }) => withId(one, own, other), call)
    return [{ call: mixed, unknown: withId(mixed, kept, UNKNOWN) }]
  })
}

function withId(call: Call, id: string, other: string): Call {
  const params = Object.entries(call.params).map(([name, value]) => [
    name,
    value === id ? other : value,
  ])
  return {
    ...call,
    params: Object.fromEntries(params),
    body: call.body?.replaceAll(`"${id}"`, `"${other}"`),
  }
}
