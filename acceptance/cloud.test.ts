/** The cloud as a client sees it, over HTTPS, on each engine. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type AnyInput, createClient, type OperationName } from '../packages/client/src/public.ts'
import { type AcceptanceEngine, engines } from './engines.ts'
import { start, temporaryFolder } from './server.ts'

async function open(t: TestContext, engine: AcceptanceEngine) {
  const data = temporaryFolder(t)
  const flags = await engine.flags()
  const server = await start(data, flags)
  t.after(() => server.stop())
  setDefaultCACertificates([...getCACertificates(), server.ca])
  const baseUrl = `${server.origin}/cloud`
  const operatorToken = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const as = (token: string, secret: string) => {
    const client = createClient({ baseUrl, token, secret, operatorToken })
    return async (name: OperationName, input?: AnyInput) => {
      const answer = await client.call(name, input)
      if (!answer.ok) return { ok: false, data: undefined, ...answer.refusal } as const
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
      return { ...answer, data: answer.data as any }
    }
  }
  return { data, flags, server, as, call: as('demo-token', 'demo-secret') }
}

for (const engine of engines) {
  describe(`the cloud on ${engine.name}`, () => {
    test('knows its demo key, and no other', async (t) => {
      const { as, call } = await open(t, engine)
      const status = await call('authStatus')
      assert.equal(status.data.Account.Code, 'demo')
      const stranger = await as('demo-token', 'wrong')('authStatus')
      assert.deepEqual([stranger.ok, stranger.status], [false, 401])
      const weak = await as('demo-view', 'demo-view-secret')('itemDelete', {
        params: { id: '900000000000' },
      })
      assert.deepEqual([weak.ok, weak.status], [false, 403])
    })

    test('keeps an account and its key across a restart, with when it was last used', async (t) => {
      const { data, flags, server, as, call } = await open(t, engine)
      await call('accountCreate', { body: { code: 'mine', name: 'Mine' } })
      const made = await call('keyCreate', {
        params: { code: 'mine' },
        body: { permission: 'create' },
      })
      assert.equal(made.data.key.last_used_at, null)
      assert.ok((await as(made.data.key.token, made.data.secret)('authStatus')).ok)
      assert.equal((await server.stop()).code, 0)
      const again = await start(data, flags)
      t.after(() => again.stop())
      const key = `${made.data.key.token}:${made.data.secret}`
      const answer = await again.ask('GET', '/cloud/zone/tk1a/api/cloud/1.1/auth-status', { key })
      assert.equal(answer.body.Account.Code, 'mine')
      const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
      const [listed] = (await again.operator('GET', '/accounts/mine/keys', token)).body.keys
      assert.ok(listed.last_used_at >= listed.created_at, 'it is written at the stop')
    })

    test('lists items and refuses what it does not know with a message that says what is wrong', async (t) => {
      const { call } = await open(t, engine)
      const listed = await call('itemList', {
        search: { Filter: { Name: 'nothing like it' }, Count: 5 },
      })
      assert.deepEqual(listed.data, {
        From: 0,
        Count: 0,
        Total: 0,
        CommonServiceItems: [],
        is_ok: true,
      })
      const refused = await call('itemCreate', {
        body: { CommonServiceItem: { Provider: { Class: 'x' } } },
      })
      assert.ok(!refused.ok)
      assert.equal(refused.code, 'bad_request')
      assert.match(refused.message, /Provider\.Class "x" is not known/)
      assert.match(refused.serial, /^[0-9a-f]{32}$/)
    })

    test('resets to the world of its start', async (t) => {
      const { call } = await open(t, engine)
      await call('accountCreate', { body: { code: 'stray', name: 'Stray' } })
      assert.ok((await call('reset', { body: { to: 'world' } })).ok)
      const { accounts } = (await call('accountList')).data
      assert.deepEqual(
        accounts.map(({ code }: { code: string }) => code),
        ['demo', 'demo-partner'],
      )
      assert.ok((await call('healthReady')).ok)
    })
  })
}
