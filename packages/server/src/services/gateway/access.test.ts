import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACCESS_LEVELS } from '../../kernel/contract.ts'
import { openCloud } from '../../testing/cloud.ts'
import { gatewayContract } from './contract.ts'
import { partsContract } from './parts-contract.ts'
import { switchContract } from './switch-contract.ts'

/** Decisions on access levels (ADR 0012), operation by operation. */
const WANTED = {
  power: ['gatewayPowerOn', 'gatewayPowerOff', 'gatewayReset'],
  create: ['gatewayCreate', 'gatewayDelete', 'switchCreate', 'switchDelete'],
}
const KEYS = {
  view: 'acme-view',
  power: 'acme-power',
  arrange: 'acme-arrange',
  create: 'acme-token',
}

describe('operations of gateways and switches', () => {
  const operations = Object.entries({ ...gatewayContract, ...partsContract, ...switchContract })

  test('need view to read, power for power, create to create and delete, else arrange', () => {
    for (const [name, { method, access }] of operations) {
      const wanted = WANTED.power.includes(name)
        ? 'power'
        : WANTED.create.includes(name)
          ? 'create'
          : method === 'GET'
            ? 'view'
            : 'arrange'
      assert.equal(access, wanted, name)
    }
  })

  test('answer 401 without a key and 403 with one too weak, and let in the level they need', async (t) => {
    const { ask } = await openCloud(t)
    for (const [name, { method, path, access }] of operations) {
      const target = path.replaceAll(/\{\w+\}/g, '900000000000')
      assert.equal((await ask(method, target, { token: null })).status, 401, name)
      for (const level of ACCESS_LEVELS) {
        const { status } = await ask(method, target, { token: KEYS[level], body: {} })
        const isEnough = ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(access)
        assert.equal(status === 403, !isEnough, `${name} with ${level}`)
      }
    }
  })
})
