import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR_MS } from '../../kernel/units.ts'
import { search } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { Receiver } from '../../testing/receiver.ts'
import { iccidOf } from '../../testing/sims.ts'
import { sized } from '../../testing/size.ts'

const MESSAGES = { sqlite: sized(10_000, 1500), postgres: sized(1000, 300) }
const AT_ONCE = 50
const PAGE = 1000

interface Entry {
  readonly message_id: string
  readonly status: string
  readonly attempts: number
  readonly log: readonly { readonly outcome: string }[]
}

for (const engine of engines) {
  describe(`many messages through an outgoing webhook on ${engine.name}`, () => {
    test(`all ${MESSAGES[engine.name]} arrive though every third call fails and the receiver dies once`, async (t) => {
      const count = MESSAGES[engine.name]
      const { operator, clock, createProject, createSim, connect, createAdapter } = await openIot(
        t,
        { engine },
      )
      const receiver = await Receiver.open(t)
      const project = await createProject()
      await connect(project, await createSim(1))
      await createAdapter(project, 'outgoing-webhook', { url: receiver.url, secret: 'abc' })
      receiver.answer = (call) => (call % 3 === 0 ? 500 : 200)

      const accepted: string[] = []
      let next = 0
      const sender = async () => {
        while (next < count) {
          next += 1
          const value = String(next)
          const body = { payload: [{ tag: '00', type: 'uint64', value }] }
          const sent = await operator('POST', `/devices/${iccidOf(1)}/messages`, { body })
          assert.equal(sent.status, 202, sent.text)
          accepted.push(sent.body.message.id)
          if (accepted.length === Math.floor(count / 2)) await receiver.die()
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, sender))
      await clock.advanceTo(clock.now())
      await receiver.start()
      // Twelve attempts take about three hours.
      for (let hour = 0; hour < 4; hour += 1) {
        await clock.advanceTo(new Date(clock.now().getTime() + HOUR_MS))
      }

      const entries: Entry[] = []
      for (let From = 0; From < count; From += PAGE) {
        const query = search({ From, Count: PAGE, Sort: ['id'] })
        entries.push(...(await operator('GET', `/outbox/webhooks${query}`)).body.webhooks)
      }
      assert.deepEqual(new Set(entries.map(({ status }) => status)), new Set(['delivered']))
      assert.deepEqual(entries.map((entry) => entry.message_id).sort(), accepted.sort())
      const arrived = new Set(receiver.messages.map(({ id }) => id))
      assert.deepEqual([...arrived].sort(), accepted)
      const values = new Set(receiver.messages.map(({ payload }) => payload[0].value))
      assert.equal(values.size, count)
      // Each call that came is an attempt in the log, and so is each that found nobody.
      const logged = entries.flatMap(({ log }) => log)
      assert.ok(entries.every(({ attempts, log }) => attempts === log.length))
      assert.ok(logged.length >= receiver.received.length)
      const failures = receiver.received.filter(({ status }) => status === 500).length
      assert.ok(logged.filter(({ outcome }) => outcome === 'failed').length >= failures)
      assert.ok(failures >= Math.floor(count / 3))
    })
  })
}
