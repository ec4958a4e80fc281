/** The console's tables of what is possible, held against the rules of the server. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gatewayReason } from '../packages/console/src/pages/gateways/allowed.ts'
import { simReason } from '../packages/console/src/pages/sims/allowed.ts'
import {
  type Gateway,
  powerOff,
  powerOn,
  reset,
} from '../packages/server/src/services/gateway/rules.ts'
import { activate, deactivate, type Sim } from '../packages/server/src/services/sim/rules.ts'

const now = new Date('2026-04-01T00:00:00+09:00')
const later = new Date(now.getTime() + 1000)

function isAllowed(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

describe('what the console lets be done', () => {
  test('to a SIM is what the rules let be done', () => {
    for (const activated of [true, false]) {
      // The rules look at nothing else of it.
      const sim = { activated } as Sim
      const state = { activated, session_status: 'DOWN' }
      const allowed = (name: 'activate' | 'deactivate') => simReason(name, state) === undefined
      assert.equal(
        allowed('activate'),
        isAllowed(() => activate(sim, now)),
      )
      assert.equal(
        allowed('deactivate'),
        isAllowed(() => deactivate(sim, now)),
      )
    }
  })

  test('to a gateway is what the rules let be done', () => {
    const rules = { powerOn, powerOff, restart: reset } as const
    for (const power of ['up', 'down'] as const) {
      for (const isMade of [true, false]) {
        const gateway = { power, availableAt: isMade ? now : later } as Gateway
        const shown = isMade
          ? ({ Availability: 'available', Instance: { Status: power } } as const)
          : ({ Availability: 'migrating', Instance: null } as const)
        for (const name of ['powerOn', 'powerOff', 'restart'] as const) {
          const expected = isAllowed(() => rules[name](gateway, now))
          assert.equal(gatewayReason(name, shown) === undefined, expected, `${name} ${power}`)
        }
      }
    }
  })
})
