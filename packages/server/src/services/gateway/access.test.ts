import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gatewayContract } from './contract.ts'
import { partsContract } from './parts-contract.ts'
import { switchContract } from './switch-contract.ts'

/** Decisions on access levels (docs/requests.md), operation by operation. */
const WANTED = {
  power: ['gatewayPowerOn', 'gatewayPowerOff', 'gatewayReset'],
  create: ['gatewayCreate', 'gatewayDelete', 'switchCreate', 'switchDelete'],
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
})
