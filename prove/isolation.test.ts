/** A short run of the proof that accounts are isolated, and whether it finds a server that is not. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { basic } from '../packages/server/src/testing/cloud.ts'
import type { Wire } from '../tools/fuzz/call.ts'
import { operations } from '../tools/fuzz/call.ts'
import { scenario } from '../tools/fuzz/scenario.ts'
import type { Step } from '../tools/fuzz/step.ts'
import { type Outcome, startTarget, type Target } from '../tools/fuzz/target.ts'
import { ISOLATION_WORLD } from './isolation/credentials.ts'
import { isolation } from './isolation/isolation.ts'
import { OwnValues } from './isolation/own-values.ts'
import { Walk } from './isolation/walk.ts'
import { tryWithoutKeys } from './isolation/without-keys.ts'

test('no operation shows or changes what is of another account, on either engine', async (t) => {
  const log = (text: string) => t.diagnostic(text)
  const { violations, figures } = await isolation.run({ seed: 1, size: 'sample', folder: '', log })
  assert.deepEqual(violations, [])
  for (const { name, value } of figures) assert.ok(Number.parseInt(value, 10) > 0, name)
  const covered = figures.find(({ name }) => name === 'Operations')?.value
  assert.equal(covered, `${operations.size} of ${operations.size}`)
})

describe('a server that confuses', () => {
  const stepsOf = (...names: string[]) =>
    ['reset', 'authStatus', ...names].flatMap(
      (name) => scenario.find((step) => step.name === name) ?? [],
    )

  // Each walk begins with a reset.
  const started = startTarget('sqlite', undefined, ISOLATION_WORLD)
  after(async () => (await started).close())

  async function walked(
    steps: readonly Step[],
    send: (wire: Wire, target: Target) => Promise<Outcome>,
  ): Promise<readonly string[]> {
    const target = await started
    const confused: Target = { ...target, send: (wire) => send(wire, target) }
    const walk = new Walk(confused, { steps, compares: 'all', oneOf: 1 })
    await walk.run()
    return walk.violations
  }

  /** Takes one's credentials for another's. */
  function taken(from: string, to: string): Promise<readonly string[]> {
    const steps = stepsOf('switchCreate', 'switchRead', 'switchUpdate', 'switchDelete')
    return walked(steps, (wire, target) => {
      const { authorization } = wire.headers
      const isTaken = authorization === from
      return target.send(
        isTaken ? { ...wire, headers: { ...wire.headers, authorization: to } } : wire,
      )
    })
  }

  test('two accounts is found: by what is read, and by what is changed', async () => {
    const violations = await taken(basic('other-create-all'), basic('acme-token'))
    const all = violations.join('\n')
    assert.match(all, /switchRead on sqlite: another account's key of the level create reaches/)
    assert.match(all, /switchUpdate on sqlite: others change what the owner reads/)
    assert.match(all, /switchDelete on sqlite: the owner cannot/)
  })

  test('two levels is found', async () => {
    const violations = await taken(basic('acme-view-all'), basic('acme-token'))
    assert.match(violations.join('\n'), /switchUpdate .*level view: status 200, not 403/)
  })

  test('the second thing of a call is found', async () => {
    const names = ['gatewayCreate', 'clockAdvance', 'gatewayPowerOff', 'switchCreate']
    const steps = stepsOf(...names, 'gatewaySwitchConnect')
    const violations = await walked(steps, async (wire, target) => {
      const outcome = await target.send(wire)
      const isConnecting = wire.path.includes('/to/switch/') && outcome.status === 404
      return isConnecting ? { ...outcome, status: 200, text: '{"is_ok":true}' } : outcome
    })
    const all = violations.join('\n')
    assert.match(all, /gatewaySwitchConnect .*with things of its own, is answered {"is_ok":true}/)
  })

  test('a revoked key with a good one is found', async () => {
    const violations = await taken(basic('acme-revoked'), basic('acme-token'))
    assert.match(violations.join('\n'), /switchRead .*that is revoked: status 200, not a refusal/)
  })
})

test('a websocket, a webhook, a device or an upload of the wrong account is found', async (t) => {
  const target = await startTarget('sqlite', undefined, ISOLATION_WORLD)
  t.after(() => target.close())
  const tokens = new Map<string, string>()
  // Of each kind the second token, which is the other account's, is taken for the first.
  const confused: Target = {
    ...target,
    send(wire) {
      let text = JSON.stringify(wire)
      for (const [second, first] of tokens) text = text.replaceAll(second, first)
      return target.send(JSON.parse(text))
    },
  }
  const { violations } = await tryWithoutKeys(confused, (owner, other) => {
    for (const name of ['incoming-webhook', 'upload', 'secret', 'websocket']) {
      const [first, second] = [owner.get(name), other.get(name)]
      if (first !== undefined && second !== undefined) tokens.set(second, first)
    }
    other.set('websocket', owner.get('websocket') ?? '')
  })
  const all = violations.join('\n')
  assert.match(all, /a websocket gets another account's message/)
  assert.match(all, /a webhook reaches another account's device/)
  assert.match(all, /an upload token writes another account's file/)
  assert.match(all, /a device fetches another's messages/)
})

describe('what is an account’s own', () => {
  test('is found in an answer, but for what everybody sees and what was sent', () => {
    const ownValues = new OwnValues()
    ownValues.addCommon({ Zones: [{ ID: 'zone-10000001' }] })
    ownValues.addOwn({ ID: '910000000007', Zone: 'zone-10000001', At: '2026-04-01T00:00:00+09:00' })
    ownValues.addOwn({ Token: 'secret-token-1', Name: 'a' })
    assert.equal(ownValues.size, 2)
    assert.deepEqual(ownValues.in('zone-10000001 910000000007', ''), ['910000000007'])
    assert.deepEqual(ownValues.in('There is no item 910000000007.', '/item/910000000007'), [])
    assert.deepEqual(ownValues.in('secret-token-1', '/item/910000000007'), ['secret-token-1'])
  })
})
