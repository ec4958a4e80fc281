import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { iccidOf } from '../../testing/sims.ts'

const payload = [{ tag: '01', type: 'uint8', value: 1 }]

for (const engine of engines) {
  describe(`the message history of a project on ${engine.name}`, () => {
    test('has both directions, newest first, with what became of them at webhooks', async (t) => {
      const iot = await openIot(t, { engine })
      const project = await iot.createProject()
      const one = await iot.connect(project, await iot.createSim(1))
      await iot.connect(project, await iot.createSim(2))
      const incoming = await iot.createAdapter(project, 'incoming-webhook')
      const outgoing = await iot.createAdapter(project, 'outgoing-webhook', {
        url: 'https://hooks.example.jp/',
      })
      const send = (n: number) =>
        iot.operator('POST', `/devices/${iccidOf(n)}/messages`, { body: { payload } })
      await send(1)
      await send(2)
      const sent = await iot.inject('POST', `/iot/v1/incoming/${incoming.token}`, {
        body: { device_id: one.device_id, payload },
      })
      assert.equal(sent.status, 202)
      const list = async (query = '') =>
        (await iot.operator('GET', `/projects/${project}/messages${query}`)).body
      const { messages, next } = await list()
      assert.equal(next, null)
      assert.deepEqual(
        messages.map(({ message, direction, webhooks }: Entry) => [
          message.id,
          direction,
          webhooks.map(({ service_id }) => service_id),
        ]),
        [
          [`${project}-3`, 'down', []],
          [`${project}-2`, 'up', [outgoing.id]],
          [`${project}-1`, 'up', [outgoing.id]],
        ],
      )
      const idsOf = (found: { messages: Entry[] }) =>
        found.messages.map(({ message }) => message.id)
      assert.deepEqual(idsOf(await list(`?before=${project}-2`)), [`${project}-1`])
      assert.deepEqual(idsOf(await list(`?device_id=${one.device_id}`)), [
        `${project}-3`,
        `${project}-1`,
      ])
    })

    test('comes in pages of 50', async (t) => {
      const iot = await openIot(t, { engine })
      const project = await iot.createProject()
      await iot.connect(project, await iot.createSim(1))
      for (let n = 0; n < 51; n += 1) {
        await iot.operator('POST', `/devices/${iccidOf(1)}/messages`, { body: { payload } })
      }
      const path = `/projects/${project}/messages`
      const first = (await iot.operator('GET', path)).body
      assert.equal(first.messages.length, 50)
      assert.equal(first.next, `${project}-2`)
      const rest = (await iot.operator('GET', `${path}?before=${first.next}`)).body
      assert.deepEqual([rest.messages.length, rest.next], [1, null])
    })

    test('is 404 without such a project, and 400 before what is no message of it', async (t) => {
      const iot = await openIot(t, { engine })
      const project = await iot.createProject()
      for (const id of ['900000000000', 'x']) {
        assert.equal((await iot.operator('GET', `/projects/${id}/messages`)).status, 404)
      }
      const path = `/projects/${project}/messages?before=900000000000-1`
      assert.equal((await iot.operator('GET', path)).status, 400)
    })
  })
}

interface Entry {
  readonly message: { readonly id: string }
  readonly direction: string
  readonly webhooks: readonly { readonly service_id: string }[]
}
