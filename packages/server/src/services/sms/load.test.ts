import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { secondsAfter } from '../../kernel/units.ts'
import { openCloud, search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { sized } from '../../testing/size.ts'

const AT_ONCE = 50
const SENDS = { sqlite: sized(5000, 1000), postgres: sized(500, 200) }

for (const engine of engines) {
  describe(`many sends at once on ${engine.name}`, () => {
    test(`answers, logs and delivers all ${SENDS[engine.name]}`, async (t) => {
      const { ask, clock } = await openCloud(t, { engine })
      const item = { CommonServiceItem: { Provider: { Class: 'esme' } } }
      const { ID } = (await ask('POST', '/commonserviceitem', { body: item })).body
        .CommonServiceItem
      const answered: string[] = []
      let next = 0
      const sender = async () => {
        while (next < SENDS[engine.name]) {
          next += 1
          const destination = String(818_000_000_000 + next)
          const ESME = { destination, sender: 'Acme', otpOperation: 'generate' }
          const path = `/commonserviceitem/${ID}/esme/2fa/otp`
          const { status, body } = await ask('PUT', path, { body: { ESME } })
          assert.equal(status, 200)
          answered.push(body.ESME.messageId)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, sender))
      assert.equal(new Set(answered).size, SENDS[engine.name])

      await clock.advanceTo(secondsAfter(clock.now(), 2))
      const path = `/commonserviceitem/${ID}/esme/logs${search({ Count: 0 })}`
      const logs: { messageId: string; status: string }[] = (await ask('GET', path)).body.ESME.logs
      assert.deepEqual(logs.map(({ messageId }) => messageId).sort(), [...answered].sort())
      assert.deepEqual([...new Set(logs.map(({ status }) => status))], ['Delivered'])
    })
  })
}
