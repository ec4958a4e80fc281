import assert from 'node:assert/strict'
import { createServer, get as getPlain } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
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
  test('delivers sites where an edge is asked for, by its own clock', async (t) => {
    const origin = createServer((_incoming, response) => {
      response.setHeader('cache-control', 'max-age=60')
      response.end('content')
    })
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
    t.after(() => origin.close())
    const { port } = origin.address() as AddressInfo
    const Site = {
      ...{ Name: 'www', DomainType: 'own_domain', Domain: 'www.example.jp', Status: 'enabled' },
      ...{ OriginType: '0', OriginProtocol: 'http', Origin: `127.0.0.1:${port}` },
    }
    const world = { ...WORLD, sites: [{ account: 'acme', Site }] }
    await using cloud = await startCloud({ world, edgePort: 0 })
    const get = () =>
      new Promise<string>((resolve, reject) => {
        const options = { agent: false, headers: { host: 'www.example.jp' } }
        getPlain(`${cloud.edgeUrl}/a`, options, (answer) => {
          answer.resume()
          resolve(String(answer.headers['cache-status']))
        }).once('error', reject)
      })
    assert.match(await get(), /fwd=/)
    assert.match(await get(), /; hit/)
    await cloud.clock.advance({ minutes: 2 })
    assert.match(await get(), /fwd=stale/)
  })

  test('answers without a socket, on a clock that stands still', async () => {
    await using cloud = await startCloud({ world: WORLD })
    const answer = await ask(cloud, 'GET', '/auth-status')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('date'), 'Tue, 31 Mar 2026 15:00:00 GMT')
    assert.equal(((await answer.json()) as { Account: { Code: string } }).Account.Code, 'acme')
    assert.equal((await cloud.fetch(`${cloud.url}/nowhere`)).status, 404)
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

  test('moves time, and runs what falls due on the way', async () => {
    await using cloud = await startCloud({ world: WORLD, clock: new Date('2027-01-01T00:00:00Z') })
    await sendCode(cloud)
    const fired = await cloud.clock.advance({ minutes: 1 })
    assert.ok(fired.length > 0)
    assert.deepEqual(cloud.clock.now(), new Date('2027-01-01T00:01:00Z'))
    const { messages } = await cloud.operator('GET', '/outbox/sms')
    assert.equal((messages as { status: string }[])[0]?.status, 'Delivered')
  })

  test('knows the first key and the first carrier of its world', async () => {
    const carriers = ['north', 'east', 'south'].map((name) => ({ name }))
    await using cloud = await startCloud({ world: { ...WORLD, carriers } })
    assert.deepEqual([cloud.key, cloud.carrier], [{ token: 't', secret: 's' }, 'north'])
    await using demo = await startCloud()
    assert.deepEqual([demo.key?.token, demo.carrier], ['demo-token', 'carrier-a'])
    await using empty = await startCloud({ world: { version: 1 } })
    assert.equal(empty.key, undefined)
  })

  test('loses answers when it is told to, as fetch does', async () => {
    await using cloud = await startCloud({ world: WORLD })
    const order = { operation: 'authStatus', nth: 1, effect: { reset: true } }
    await cloud.operator('POST', '/faults', order)
    await assert.rejects(ask(cloud, 'GET', '/auth-status'), TypeError)
    assert.equal((await ask(cloud, 'GET', '/auth-status')).status, 200)
    const refused = cloud.operator('POST', '/faults', { operation: 'simFly', effect: {} })
    await assert.rejects(refused, /POST \/faults/)
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
