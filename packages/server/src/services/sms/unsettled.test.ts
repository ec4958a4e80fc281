/** Messages that were claimed by a process that died: what the next one makes of them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SecretBox } from '../../kernel/secret-box.ts'
import { secondsAfter } from '../../kernel/units.ts'
import { Outbox } from '../../storage/outbox.ts'
import { ENCRYPTION_KEYS, openCloud } from '../../testing/cloud.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { ContentBox } from './content.ts'
import { CLAIM_SECONDS, submitting } from './delivery.ts'
import type { TransportName } from './rules.ts'
import type { Transport } from './transport.ts'

const content = new ContentBox(new SecretBox(ENCRYPTION_KEYS))

function network(name: TransportName, recognisesRepeats: boolean) {
  const submitted: string[] = []
  const transport: Transport = {
    ...{ name, recognisesRepeats, address: undefined, leavesMachine: true },
    check: async () => ({ state: 'ready', detail: '' }),
    async submit({ messageId }) {
      submitted.push(messageId)
      return { answer: 'accepted', reference: messageId }
    },
  }
  return { transport, submitted }
}

for (const engine of engines) {
  describe(`a message whose submit was not settled on ${engine.name}`, () => {
    const cases = [
      ['kannel', false, 'kannel', 'is uncertain'],
      ['http', true, 'http', 'is submitted again'],
      ['kannel', false, 'outbox', 'is uncertain'],
      ['outbox', true, 'kannel', 'is uncertain'],
    ] as const
    for (const [before, recognises, now, outcome] of cases) {
      test(`${outcome} when it was ${before} and is ${now}`, async (t) => {
        const first = network(before, recognises)
        const { ask, operator, database, cloud } = await openCloud(t, {
          ...{ engine, sms: first.transport },
        })
        await cloud.jobs.stop()
        const item = { CommonServiceItem: { Provider: { Class: 'esme' } } }
        const { ID } = (await ask('POST', '/commonserviceitem', { body: item })).body
          .CommonServiceItem
        const ESME = { destination: '819012345678', sender: 'Acme', otpOperation: 'generate' }
        const path = `/commonserviceitem/${ID}/esme/2fa/otp`
        const { messageId } = (await ask('PUT', path, { body: { ESME } })).body.ESME
        const late = secondsAfter(TEST_NOW, CLAIM_SECONDS)
        const claimed = await database.write((tx) =>
          new Outbox(tx, 'sms').claim(TEST_NOW, late, 10),
        )
        assert.equal(claimed.length, 1)

        const second = network(now, now !== 'kannel')
        await submitting(second.transport, content).run(database, late)
        const isAgain = outcome === 'is submitted again'
        assert.deepEqual(second.submitted, isAgain ? [messageId] : [])
        const [shown] = (await operator('GET', '/outbox/sms')).body.messages
        assert.deepEqual(
          [shown.uncertain, shown.status, shown.transport],
          [!isAgain, 'Accepted', before],
        )
        // Settled by now: nobody submits it later either.
        await submitting(second.transport, content).run(database, secondsAfter(late, 300))
        assert.equal(second.submitted.length, isAgain ? 1 : 0)
      })
    }
  })
}
