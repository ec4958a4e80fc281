/** Bills of a server that was killed and was off when the months ended. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { engines } from './engines.ts'
import { CLOUD, start, temporaryFolder } from './server.ts'

const WORLD = {
  version: 1,
  accounts: [
    {
      id: '900000000001',
      code: 'acme',
      name: 'Acme',
      keys: [{ token: 'acme', secret: 'acme', permission: 'create', external: ['bill'] }],
    },
  ],
}
const key = 'acme:acme'

for (const engine of engines) {
  describe(`bills on ${engine.name}`, () => {
    test('are made up for by a server that was killed and comes back after two months', async (t) => {
      const data = temporaryFolder(t)
      const world = join(data, 'world.json')
      writeFileSync(world, JSON.stringify(WORLD))
      const flags = ['--world', world, ...(await engine.flags())]
      const before = await start(data, [...flags, '--clock', 'frozen@2026-04-28T09:00:00+09:00'])
      const body = { Appliance: { Name: 'gate', Class: 'mobilegateway', Plan: { ID: 2 } } }
      const made = await before.ask('POST', `${CLOUD}/appliance`, { key, body })
      assert.equal(made.status, 202)
      await before.stop('SIGKILL')
      const after = await start(data, [...flags, '--clock', 'frozen@2026-06-07T09:00:00+09:00'])
      t.after(() => after.stop())
      const path = '/cloud/zone/tk1a/api/system/1.0/bill/by-contract/900000000001'
      const bills = async () => (await after.ask('GET', path, { key })).body.Bills
      // The job runs at the start, and the start does not wait for it.
      while ((await bills()).length < 3) await new Promise(setImmediate)
      assert.deepEqual(
        (await bills()).map((bill: { Date: string; Amount: number }) => [
          bill.Date.slice(0, 7),
          bill.Amount,
        ]),
        [
          ['2026-06', 6 * 55],
          ['2026-05', 1100],
          ['2026-04', 3 * 55],
        ],
      )
    })
  })
}
