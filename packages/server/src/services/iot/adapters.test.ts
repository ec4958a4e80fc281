import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { engines } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'

for (const engine of engines) {
  describe(`service adapters on ${engine.name}`, () => {
    test('POST answers 201; the own type of the settings is an object, the others are empty lists', async (t) => {
      const { ask, vmgw, createProject } = await openIot(t, { engine })
      const id = await createProject()
      const { Status } = (await ask('GET', `/commonserviceitem/${id}`)).body.CommonServiceItem
      const create = async (type: string, own: object) => {
        const IoTPlatform = { type, name: 'n', settings: { [type]: own } }
        const { status, body } = await vmgw('POST', id, '/services', { IoTPlatform })
        assert.equal(status, 201)
        assert.equal(body.is_ok, true)
        return body.IoTPlatform
      }
      const socket = await create('websocket', {})
      assert.deepEqual(socket, {
        id: socket.id,
        name: 'n',
        type: 'websocket',
        vmgw: Status.mgw_id,
        token: socket.token,
        url: `ws://localhost/iot/v1/websocket/${socket.token}`,
        settings: { 'incoming-webhook': [], 'outgoing-webhook': [], websocket: {} },
      })
      // 160 bits or more, in a form that needs no escaping.
      assert.match(socket.token, /^[\w-]{43}$/)
      const incoming = await create('incoming-webhook', { secret: 'abc' })
      assert.equal(incoming.url, `http://localhost/iot/v1/incoming/${incoming.token}`)
      assert.deepEqual(incoming.settings, {
        'incoming-webhook': { secret: 'abc' },
        'outgoing-webhook': [],
        websocket: [],
      })
      const outgoing = await create('outgoing-webhook', { url: 'https://hooks.example.jp/a?b=c' })
      assert.equal(outgoing.url, 'https://hooks.example.jp/a?b=c')
      assert.deepEqual(outgoing.settings, {
        'incoming-webhook': [],
        'outgoing-webhook': { secret: null },
        websocket: [],
      })
      const { body } = await vmgw('GET', id, '/services')
      assert.deepEqual(body, { IoTPlatform: [socket, incoming, outgoing], is_ok: true })
      const item = (await ask('GET', `/commonserviceitem/${id}`)).body.CommonServiceItem
      assert.deepEqual(item.Status.Services, [socket.id, incoming.id, outgoing.id])
    })

    test('addresses begin with the public origin, by TLS where that is', async (t) => {
      const args = ['--public-url', 'https://cloud.example.jp']
      const { createProject, createAdapter } = await openIot(t, { engine, args })
      const id = await createProject()
      const socket = await createAdapter(id, 'websocket')
      assert.ok(socket.url.startsWith('wss://cloud.example.jp/iot/v1/websocket/'))
      const incoming = await createAdapter(id, 'incoming-webhook')
      assert.ok(incoming.url.startsWith('https://cloud.example.jp/iot/v1/incoming/'))
    })

    test('DELETE answers with the id; then it is gone', async (t) => {
      const { vmgw, createProject, createAdapter } = await openIot(t, { engine })
      const [id, other] = [await createProject('one'), await createProject('two')]
      const adapter = await createAdapter(id, 'websocket')
      assert.equal((await vmgw('DELETE', other, `/services/${adapter.id}`)).status, 404)
      const { status, body } = await vmgw('DELETE', id, `/services/${adapter.id}`)
      assert.equal(status, 200)
      assert.deepEqual(body, { IoTPlatform: { service_id: adapter.id }, is_ok: true })
      assert.equal((await vmgw('DELETE', id, `/services/${adapter.id}`)).status, 404)
      assert.deepEqual((await vmgw('GET', id, '/services')).body.IoTPlatform, [])
    })

    test('a broken request is 400, names it, and changes nothing, LIMIT-05 LIMIT-06', async (t) => {
      const { vmgw, createProject } = await openIot(t, { engine })
      const id = await createProject()
      const create = (adapter: object) => vmgw('POST', id, '/services', { IoTPlatform: adapter })
      const outgoing = (own: object) => ({
        type: 'outgoing-webhook',
        settings: { 'outgoing-webhook': own },
      })
      const incoming = (own: unknown) => ({
        type: 'incoming-webhook',
        settings: { 'incoming-webhook': own },
      })
      const broken: [object, RegExp][] = [
        [{ type: 'mqtt' }, /IoTPlatform\.type/],
        [{}, /IoTPlatform\.type/],
        [{ type: 'websocket', name: '' }, /IoTPlatform\.name/],
        [{ type: 'websocket', name: 'x'.repeat(65) }, /IoTPlatform\.name/],
        [incoming({ secret: '' }), /secret|settings/],
        [incoming({ secret: 'x'.repeat(65) }), /secret|settings/],
        [incoming({ secret: 'a b' }), /secret|settings/],
        [incoming({ secret: 5 }), /secret|settings/],
        [outgoing({}), /outgoing-webhook\.url/],
        [{ type: 'outgoing-webhook' }, /outgoing-webhook\.url/],
        [outgoing({ url: 'ftp://example.jp' }), /outgoing-webhook\.url/],
        [outgoing({ url: 'https://' }), /outgoing-webhook\.url/],
        [outgoing({ url: 'httpx' }), /outgoing-webhook\.url/],
      ]
      for (const [adapter, names] of broken) {
        const { status, body } = await create(adapter)
        assert.equal(status, 400, JSON.stringify(adapter))
        assert.match(body.error_msg, names)
        const elsewhere = await vmgw('POST', '900000000000', '/services', { IoTPlatform: adapter })
        assert.equal(elsewhere.status, 400, 'before the project is looked for')
      }
      assert.deepEqual((await vmgw('GET', id, '/services')).body.IoTPlatform, [])
      const good = [
        { type: 'websocket' },
        { type: 'websocket', name: '長'.repeat(64), settings: [] },
        { type: 'incoming-webhook', settings: { 'incoming-webhook': [] } },
        incoming({ secret: 'A9'.repeat(32) }),
        outgoing({ url: 'http://example.jp', secret: 'x' }),
      ]
      for (const adapter of good)
        assert.equal((await create(adapter)).status, 201, JSON.stringify(adapter))
    })

    test('tokens, secrets and destinations are not in the database as they are', async (t) => {
      const { database, createProject, createAdapter } = await openIot(t, { engine })
      const id = await createProject()
      const own = { url: 'https://hooks.example.jp/SecretPath', secret: 'S3cretS3cret' }
      const { token } = await createAdapter(id, 'outgoing-webhook', own)
      const rows = await database.read((tx) => tx.all(raw('SELECT * FROM iot_adapter')))
      const text = JSON.stringify(rows)
      for (const secret of [token, 'SecretPath', 'S3cretS3cret']) assert.ok(!text.includes(secret))
    })
  })
}
