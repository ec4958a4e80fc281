import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BadRequest, Conflict, HashMismatch, StillCreating } from '../../kernel/errors.ts'
import { type ItemId, parseId } from '../../kernel/ids.ts'
import { contains, formatCidr, formatIpv4, parseCidr } from '../../kernel/ipv4.ts'
import { firstHost, lastHost, startingHost } from './address-rules.ts'
import { networkOf } from './network-rules.ts'
import { checkSimRoutes } from './route-rules.ts'
import {
  applySettings,
  change,
  type Gateway,
  isAvailable,
  isUp,
  powerOff,
  powerOn,
  reset,
} from './rules.ts'
import { type GatewaySettings, settingsHash } from './settings-rules.ts'
import { isShaping } from './traffic-rules.ts'

const at = (second: number) => new Date(Date.UTC(2026, 3, 1, 0, 0, second))

const gateway: Gateway = {
  id: id('910000000001'),
  accountId: id('900000000001'),
  zone: 'is1a',
  name: 'gate',
  description: '',
  tags: [],
  iconId: undefined,
  planId: 2,
  settings: undefined,
  appliedSettings: undefined,
  availableAt: at(3),
  power: 'up',
  powerChangedAt: at(3),
  publicAddress: 1,
  publicSubnet: cidr('198.18.0.0/15'),
  switchId: undefined,
  createdAt: at(0),
}

function id<Kind extends string>(text: string) {
  const parsed = parseId<Kind>(text)
  if (parsed === undefined) throw new Error(`${text} is no id.`)
  return parsed
}

function cidr(text: string) {
  const parsed = parseCidr(text)
  if (parsed === undefined) throw new Error(`${text} is no network.`)
  return parsed
}

const KEEP = {
  ...{ name: undefined, description: undefined, tags: undefined, iconId: undefined },
  settingsHash: undefined,
}
const store = (settings: GatewaySettings, settingsHash?: string) =>
  change(gateway, { ...KEEP, settings, settingsHash })

describe('a gateway', () => {
  test('is available and up from its time on', () => {
    assert.deepEqual([isAvailable(gateway, at(2)), isUp(gateway, at(2))], [false, false])
    assert.deepEqual([isAvailable(gateway, at(3)), isUp(gateway, at(3))], [true, true])
  })

  test('stays available and up when the clock is set back before its creation', () => {
    assert.deepEqual([isAvailable(gateway, at(-90)), isUp(gateway, at(-90))], [true, true])
    // Clocks of two servers are never the same.
    assert.equal(isAvailable(gateway, at(-1)), false)
  })

  test('changes its power only into the other state, and only when it is made', () => {
    for (const rule of [powerOn, powerOff, reset]) {
      assert.throws(() => rule(gateway, at(2)), StillCreating)
    }
    assert.throws(() => powerOn(gateway, at(3)), Conflict)
    const down = powerOff(gateway, at(5))
    assert.deepEqual([isUp(down, at(5)), down.powerChangedAt], [false, at(5)])
    assert.throws(() => powerOff(down, at(6)), Conflict)
    assert.throws(() => reset(down, at(6)), Conflict)
    const up = powerOn(down, at(7))
    assert.deepEqual([isUp(up, at(7)), up.powerChangedAt], [true, at(7)])
    assert.deepEqual(reset(up, at(9)), { ...up, powerChangedAt: at(9) })
  })
})

describe('settings', () => {
  const lan: GatewaySettings = {
    internetConnection: true,
    interDeviceCommunication: true,
    privateInterface: { addresses: ['10.70.0.1'], maskLength: 16 },
    staticRoutes: [{ prefix: '172.16.0.0/12', nextHop: '10.70.0.2' }],
  }

  test('are stored at once and reach the network when they are applied', () => {
    const switchId = id<'switch'>('910000000009')
    const stored = { ...store(lan), switchId }
    assert.deepEqual(networkOf(stored, at(3)), networkOf({ ...gateway, switchId }, at(3)))
    assert.deepEqual(networkOf(applySettings(stored), at(3)), {
      isUp: true,
      pool: cidr('10.0.0.0/10'),
      internetConnection: true,
      interDeviceCommunication: true,
      privateInterface: lan.privateInterface,
      staticRoutes: lan.staticRoutes,
    })
  })

  test('of a private interface carry nothing while it is connected to no switch', () => {
    assert.equal(networkOf(applySettings(store(lan)), at(3)).privateInterface, undefined)
  })

  test('keep the addresses of devices apart from the networks behind the gateway', () => {
    const pool = (...prefixes: string[]) => {
      const staticRoutes = prefixes.map((prefix) => ({ prefix, nextHop: '192.0.2.1' }))
      return formatCidr(networkOf(applySettings(store({ staticRoutes })), at(3)).pool)
    }
    assert.equal(pool(), '10.64.0.0/10')
    assert.equal(pool('0.0.0.0/0'), '10.64.0.0/10')
    assert.equal(pool('10.64.0.0/24'), '172.16.0.0/12')
    assert.equal(pool('10.0.0.0/8'), '172.16.0.0/12')
    assert.equal(pool('10.0.0.0/8', '172.16.0.0/24'), '192.168.0.0/16')
    assert.equal(pool('10.0.0.0/8', '172.16.0.0/24', '192.168.0.0/16'), '10.64.0.0/10')
  })

  test('have one hash, whatever the order of their members, and another when they differ', () => {
    const turned = Object.fromEntries(Object.entries(lan).reverse())
    assert.equal(settingsHash(turned), settingsHash(lan))
    assert.match(settingsHash({}) ?? '', /^[0-9a-f]{32}$/)
    assert.equal(settingsHash(undefined), undefined)
    const others: GatewaySettings[] = [
      {},
      { ...lan, internetConnection: false },
      { ...lan, privateInterface: null },
      { ...lan, staticRoutes: [] },
    ]
    assert.equal(new Set([lan, ...others].map(settingsHash)).size, 5)
  })

  test('are refused with a stale hash', () => {
    assert.throws(() => store(lan, settingsHash({})), HashMismatch)
    const stored = store(lan)
    const sent = { ...KEEP, settings: {}, settingsHash: settingsHash(lan) }
    assert.deepEqual(change(stored, sent).settings, {})
    const stale = { ...KEEP, settings: undefined, settingsHash: settingsHash({}) }
    assert.throws(() => change(stored, stale), HashMismatch)
  })
})

describe('SIM routes', () => {
  const simId: ItemId = id('910000000002')
  const network = fc
    .record({
      base: fc.integer({ min: 0, max: 255 }),
      prefixLength: fc.integer({ min: 24, max: 32 }),
    })
    .map(({ base, prefixLength }) => {
      const size = 2 ** (32 - prefixLength)
      return { network: base - (base % size), prefixLength }
    })

  test('are refused exactly when an address belongs to two of them', () => {
    fc.assert(
      fc.property(fc.array(network, { maxLength: 6 }), (networks) => {
        const owners = Array.from(
          { length: 256 },
          (_, address) => networks.filter((one) => contains(one, address)).length,
        )
        const routes = networks.map((one) => ({ simId, prefix: formatCidr(one) }))
        const check = () => checkSimRoutes(routes)
        if (owners.some((count) => count > 1)) assert.throws(check, BadRequest)
        else assert.deepEqual(check(), routes)
      }),
    )
  })
})

describe('public addresses', () => {
  test('are searched from a host of the pool, whatever the id', () => {
    const pool = cidr('203.0.113.0/29')
    assert.deepEqual([firstHost(pool), lastHost(pool)].map(formatIpv4), [
      '203.0.113.2',
      '203.0.113.6',
    ])
    const starts = Array.from({ length: 10 }, (_, n) => startingHost(pool, `91000000000${n}`))
    assert.equal(new Set(starts).size, 5)
    for (const start of starts) assert.ok(start >= firstHost(pool) && start <= lastHost(pool))
  })
})

describe('shaping', () => {
  const control = {
    ...{ quotaMb: 1, autoShaping: true, limitKbps: 64 },
    ...{ emailEnabled: false, chatEnabled: false, chatUrl: '' },
  }
  const used = (bytes: number) => ({ uplinkBytes: bytes, downlinkBytes: 0 })

  test('is on one byte past the quota, and only when it is wanted', () => {
    assert.equal(isShaping(control, used(1_000_000)), false)
    assert.equal(isShaping(control, used(1_000_001)), true)
    assert.equal(isShaping({ ...control, autoShaping: false }, used(1_000_001)), false)
    assert.equal(isShaping(undefined, used(1_000_001)), false)
  })
})
