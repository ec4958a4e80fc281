import assert from 'node:assert/strict'
import { request } from 'node:https'
import { describe, test } from 'node:test'
import { startCloud } from './testing.ts'

const WORLD = {
  version: 1,
  accounts: [
    {
      id: '900000000001',
      code: 'acme',
      name: 'Acme',
      keys: [{ token: 't', secret: 's', permission: 'create' }],
    },
  ],
  sms: [{ account: 'acme', CommonServiceItem: { ID: '900000000101', Name: 'codes' } }],
}
const API = '/cloud/zone/is1a/api/cloud/1.1'
const authorization = `Basic ${Buffer.from('t:s').toString('base64')}`

type Started = Awaited<ReturnType<typeof startCloud>>
const ask = ({ fetch }: Started, method: string, path: string, body?: object) =>
  fetch(API + path, {
    method,
    headers: { authorization },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const sendCode = (cloud: Started) =>
  ask(cloud, 'PUT', '/commonserviceitem/900000000101/esme/2fa/otp', {
    ESME: { destination: '819012345678', sender: 'Acme', otpOperation: 'generate' },
  })

describe('startCloud', () => {
  test('answers without a socket, on a clock that stands still', async () => {
    await using cloud = await startCloud({ world: WORLD })
    const answer = await ask(cloud, 'GET', '/auth-status')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('date'), 'Tue, 31 Mar 2026 15:00:00 GMT')
    assert.equal(((await answer.json()) as { Account: { Code: string } }).Account.Code, 'acme')
    assert.equal((await cloud.fetch(`${cloud.url}/nowhere`)).status, 404)
  })

  test('has devices that attach, send and leave', async () => {
    await using cloud = await startCloud()
    const meter = cloud.device('8981040000000001001')
    assert.equal((await meter.attach()).accepted, true)
    await meter.traffic({ uplink: 1000, downlink: 24 })
    const { sessions } = (await cloud.operator('GET', '/sessions')) as {
      sessions: { iccid: string; uplink_bytes: number }[]
    }
    const session = sessions.find(({ iccid }) => iccid === '8981040000000001001')
    assert.equal(session?.uplink_bytes, 1000)
    await meter.detach()
    await assert.rejects(meter.traffic({ uplink: 1 }), /has no session/)
    assert.deepEqual(await cloud.device('8981040000000009999').attach(), {
      accepted: false,
      reason: 'not_registered',
      ip: null,
      is_ok: true,
    })
  })

  test('shows the demo world when no world is given', async () => {
    await using cloud = await startCloud()
    const { accounts } = await cloud.operator('GET', '/accounts')
    assert.deepEqual(
      (accounts as { code: string }[]).map(({ code }) => code),
      ['demo'],
    )
  })

  test('gives the same bytes twice for the same seed, and others for another', async () => {
    const run = async (seed: string) => {
      await using cloud = await startCloud({ world: WORLD, seed })
      const answers = [await sendCode(cloud), await ask(cloud, 'GET', '/nowhere')]
      await cloud.clock.advance({ days: 31 })
      answers.push(await ask(cloud, 'GET', '/commonserviceitem/900000000101/esme/logs'))
      return Promise.all(answers.map(async (one) => [await one.text(), ...one.headers].join('\n')))
    }
    const first = await run('one')
    assert.deepEqual(await run('one'), first)
    assert.notDeepEqual(await run('two'), first)
  })

  test('waits for messages, and moves time', async () => {
    await using cloud = await startCloud({ world: WORLD, clock: new Date('2027-01-01T00:00:00Z') })
    const waiting = cloud.sms.waitFor({ destination: '819012345678' })
    await sendCode(cloud)
    assert.match((await waiting).text, new RegExp((await waiting).otp))
    const fired = await cloud.clock.advance({ minutes: 1 })
    assert.ok(fired.length > 0)
    assert.deepEqual(cloud.clock.now(), new Date('2027-01-01T00:01:00Z'))
    const message = await cloud.sms.waitFor({ destination: '819012345678' })
    assert.equal(message.status, 'Delivered')
  })

  test('comes back to a snapshot, more than once', async () => {
    await using cloud = await startCloud({ world: WORLD })
    const total = async () =>
      ((await (await ask(cloud, 'GET', '/commonserviceitem')).json()) as { Total: number }).Total
    const base = await cloud.snapshot()
    for (const _round of [1, 2]) {
      const body = { CommonServiceItem: { Name: 'x', Provider: { Class: 'esme' } } }
      assert.equal((await ask(cloud, 'POST', '/commonserviceitem', body)).status, 201)
      assert.equal(await total(), 2)
      await cloud.restore(base)
      assert.equal(await total(), 1)
    }
    await assert.rejects(cloud.restore('nothing'), /There is no snapshot nothing/)
  })

  test('loses answers when it is told to, as fetch does', async () => {
    await using cloud = await startCloud({ world: WORLD })
    await cloud.faults.add({ operation: 'authStatus', nth: 1, effect: { reset: true } })
    await assert.rejects(ask(cloud, 'GET', '/auth-status'), TypeError)
    assert.equal((await ask(cloud, 'GET', '/auth-status')).status, 200)
    const [fault] = (await cloud.faults.list()) as { hits: number }[]
    assert.equal(fault?.hits, 1)
    await assert.rejects(cloud.faults.add({ operation: 'simFly', effect: {} }), /POST \/faults/)
  })

  test('listens with a certificate of its own CA when a port is given', async () => {
    await using cloud = await startCloud({ world: WORLD, port: 0 })
    const { ca = '' } = cloud
    const status = await new Promise((resolve, reject) => {
      request(`${cloud.url}/zone/is1a/api/cloud/1.1/auth-status`, {
        ca,
        agent: false,
        headers: { authorization },
      })
        .once('response', (answer) => resolve(answer.resume().statusCode))
        .once('error', reject)
        .end()
    })
    assert.equal(status, 200)
  })
})
