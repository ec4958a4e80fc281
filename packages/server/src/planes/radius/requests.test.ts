/** From a call of the interface to a network element and back, by the real radclient. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { ELEMENT_SECRET, openElements } from '../../testing/elements.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { radclientMissing } from '../../testing/radclient.ts'
import { type NasAnswer, type NasRequest, openNas } from '../../testing/scripted-nas.ts'
import { Radclient } from './radclient.ts'

const skip = radclientMissing()

async function open(
  t: TestContext,
  engine: TestEngine,
  answer: (request: NasRequest, nth: number) => NasAnswer,
) {
  const nas = await openNas(answer, { secret: ELEMENT_SECRET })
  t.after(() => nas.close())
  const cloud = await openElements(t, engine, new Radclient(), nas.port)
  const { sims } = await cloud.withSessions(1, 2)
  const deactivate = (index: number) =>
    cloud.ask('PUT', `/commonserviceitem/${sims[index]}/sim/deactivate`)
  return { ...cloud, nas, deactivate }
}

for (const engine of engines) {
  describe(`Disconnect by radclient on ${engine.name}`, { skip }, () => {
    test('reaches the element without the clock having to move', async (t) => {
      const { nas, deactivate, operator } = await open(t, engine, () => 'ack')
      const { sessions } = (await operator('GET', '/sessions')).body
      const [first] = sessions.filter((one: Session) => one.acct_session_id === 'session-1')
      await deactivate(0)
      const [request] = await nas.received(1)
      assert.deepEqual(
        [request?.type, request?.isVerified, request?.acctSessionId, request?.ip],
        ['Disconnect', true, 'session-1', first.ip],
      )
    })

    test('keeps the answers, and asks again where there was none', async (t) => {
      const { nas, deactivate, wait, requests } = await open(t, engine, ({ acctSessionId }, nth) =>
        acctSessionId === 'session-1' ? 504 : nth <= 3 ? 'none' : 'ack',
      )
      await deactivate(0)
      await wait(0)
      await deactivate(1)
      await wait(0)
      const states = async () =>
        (await requests()).map((one: Request) => [one.state, one.error_cause, one.attempts])
      const refused = ['nak', 'Session-Context-Not-Removable', 1]
      assert.deepEqual(await states(), [refused, ['waiting', null, 1]])
      await wait(1)
      assert.deepEqual(await states(), [refused, ['ack', null, 2]])
      assert.equal(nas.requests.length, 4, 'twice by each radclient that gets no answer')
    })
  })
}

interface Session {
  readonly acct_session_id?: string
}

interface Request {
  readonly state: string
  readonly error_cause: string | null
  readonly attempts: number
}
