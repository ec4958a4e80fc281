/**
 * The types, tested as types: the compiler reads this file with all others (`npm run typecheck`), and a
 * line that is marked as wrong but compiles is an error of its own. Nothing of it has to run.
 */
import { test } from 'node:test'
import type { Client, Element, Input, RefusalCode, Reply } from './public.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(value?: T) => value

test('a reply has the members of its contract and no others', () => {
  holds<Equal<Reply<'simStatus'>['sim']['activated'], boolean>>()
  holds<Equal<Reply<'gatewayRead'>['Appliance']['Availability'], 'migrating' | 'available'>>()
  // @ts-expect-error: there is no such member.
  type Wrong = Reply<'simStatus'>['sim']['active']
  holds<Equal<Wrong, Wrong>>()
})

test('an element of a list has the type that the list has', () => {
  holds<Equal<Element<'snapshotList'>['bytes'], number>>()
  holds<Equal<Element<'itemList'>['Name'], string | undefined>>()
  holds<Equal<Element<'smsLogList'>['otp'], string | undefined>>()
})

test('a refusal has the codes of its contract', () => {
  const code: RefusalCode<'simActivate'> = 'conflict'
  // @ts-expect-error: this operation does not refuse so.
  const wrong: RefusalCode<'simActivate'> = 'original_hash_mismatch'
  holds<Equal<typeof code | typeof wrong, RefusalCode<'simActivate'>>>()
})

test('an input has to have what its contract wants', () => {
  const inputs: [Input<'simImeiLock'>, Input<'worldApply'>, Input<'siteList'>] = [
    { params: { sim_id: '900000000001' }, body: { sim: { imei: '1' } } },
    { text: 'version: 1' },
    {},
  ]
  // @ts-expect-error: the body is missing.
  const missing: Input<'simImeiLock'> = { params: { sim_id: '1' } }
  holds<Equal<typeof missing, (typeof inputs)[0]>>()
})

/** Never called: what counts is whether it compiles. */
export async function usage(client: Client): Promise<void> {
  await client.authStatus()
  await client.simActivate({ params: { sim_id: '900000000001' } })
  // @ts-expect-error: the input must be given.
  await client.simActivate()
  // @ts-expect-error: a field that does not exist.
  await client.simActivate({ params: { sim: '900000000001' } })
  // @ts-expect-error: a number where a text is wanted.
  await client.simImeiLock({ params: { sim_id: '9' }, body: { sim: { imei: 1 } } })
  // @ts-expect-error: a word that is none of the choices.
  await client.clockSet({ body: { mode: 'virtual' } })
  // @ts-expect-error: this operation takes no search.
  await client.itemRead({ params: { id: '9' }, search: {} })
  // @ts-expect-error: there is no such operation.
  await client.simExplode()

  const result = await client.simStatus({ params: { sim_id: '900000000001' } })
  // @ts-expect-error: a refused call has no data; whether it was has to be asked first.
  result.data
  if (result.ok) result.data.sim.iccid.toUpperCase()
  else holds<Equal<typeof result.refusal.code, RefusalCode<'simStatus'>>>()
  // @ts-expect-error: an operation that answers with no list.
  client.each.simStatus({ params: { sim_id: '9' } })
  for await (const { Name, Index } of client.each.itemList()) Name?.at(Index)
  const { sim } = await client.orThrow.simStatus({ params: { sim_id: '9' } })
  sim.imsi.at(0)
}
