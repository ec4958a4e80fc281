import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

const DAY_MS = 86_400_000
const ITEM = { CommonServiceItem: { Name: 'codes', Provider: { Class: 'esme' } } }

for (const engine of engines) {
  describe(`the short messages of an account on ${engine.name}`, () => {
    test('are counted by their status, those of the last 30 days', async (t) => {
      const { ask, operator, clock } = await openCloud(t, { engine })
      const made = await ask('POST', '/commonserviceitem', { body: ITEM })
      const path = `/commonserviceitem/${made.body.CommonServiceItem.ID}/esme/2fa/otp`
      const send = (destination: string) =>
        ask('PUT', path, {
          body: { ESME: { destination, sender: 'Acme', otpOperation: 'generate' } },
        })
      const pass = (ms: number) => clock.advanceTo(new Date(clock.now().getTime() + ms))
      const count = async (code = 'acme') => (await operator('GET', `/accounts/${code}/sms`)).body
      await send('819012345678')
      await send('819000000002')
      await pass(10_000)
      await send('819000000004')
      assert.deepEqual(await count(), {
        ...{ is_ok: true, since: '2026-03-01T15:00:10.000000Z', complete: true },
        ...{ accepted: 1, delivered: 1, failed: 1 },
      })
      await pass(29 * DAY_MS)
      await send('819012345678')
      await pass(DAY_MS)
      const { accepted, delivered, failed } = await count()
      assert.deepEqual(
        [accepted, delivered, failed],
        [0, 1, 1],
        'the third has expired at its time',
      )
      assert.deepEqual((await count('other')).delivered, 0)
      assert.equal((await operator('GET', '/accounts/nobody/sms')).status, 404)
    })
  })
}
