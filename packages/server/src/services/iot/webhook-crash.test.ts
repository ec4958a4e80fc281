/** The real server, killed between the acceptance of messages and their delivery, and started again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Receiver } from '../../testing/receiver.ts'
import { createProject, serverFolder, startProcess } from '../../testing/server-process.ts'
import { draft, iccidOf } from '../../testing/sims.ts'

const MESSAGES = 20
/** A claim of the dead process has to end, and then some. */
const PATIENCE_MS = 90_000

test('messages that were accepted before kill -9 are delivered after the restart', async (t) => {
  const folder = serverFolder(t)
  const receiver = await Receiver.open(t)
  // Nobody is there while the first process lives.
  await receiver.die()
  const first = await startProcess(t, folder)
  const project = await createProject(first)
  const sim = (await first.ask('POST', '/commonserviceitem', draft(1))).body.CommonServiceItem.ID
  await first.ask('PUT', `/commonserviceitem/${sim}/sim/activate`)
  const vmgw = `/commonserviceitem/${project}/iotplatform/vmgw`
  await first.ask('PUT', `${vmgw}/sims/${sim}`)
  const settings = { 'outgoing-webhook': { url: receiver.url } }
  await first.ask('POST', `${vmgw}/services`, {
    IoTPlatform: { type: 'outgoing-webhook', settings },
  })
  const send = async (value: number) => {
    const body = { payload: [{ tag: '00', type: 'uint8', value }] }
    return first.operator('POST', `/devices/${iccidOf(1)}/messages`, body)
  }
  const answers = await Promise.all(Array.from({ length: MESSAGES }, (_, value) => send(value)))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const accepted = answers.map(({ body }) => body.message.id)
  assert.equal(new Set(accepted).size, MESSAGES)

  await receiver.start()
  const second = await startProcess(t, folder)
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    if (new Set(receiver.messages.map(({ id }) => id)).size === MESSAGES) break
    await sleep(100)
  }
  const arrived = new Set(receiver.messages.map(({ id }) => id))
  assert.deepEqual([...arrived].sort(), [...accepted].sort())
  const { webhooks } = (await second.operator('GET', '/outbox/webhooks')).body
  assert.deepEqual(
    webhooks.filter(({ status }: { status: string }) => status === 'dead'),
    [],
  )
})
