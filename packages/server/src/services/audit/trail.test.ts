/** What calls leave in the trail, on both engines. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../storage/database.ts'
import { OPERATOR_TOKEN, openCloud, TEST_WORLD } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { gatewayDraft } from '../../testing/gateways.ts'
import { openWeb } from '../../testing/webaccel.ts'
import type { StoredEntry } from './rules.ts'
import { AuditStore } from './store.ts'

const PROJECT = { CommonServiceItem: { Name: 'a', Provider: { Class: 'iotplatform' } } }

const entriesOf = (database: Database) =>
  database.read((tx) => new AuditStore(tx).list({}, undefined, 100))

for (const engine of engines) {
  describe(`the audit trail on ${engine.name}`, () => {
    test('has each change of an account, with who, from where, what and the result', async (t) => {
      const { ask, database } = await openCloud(t, { engine })
      const headers = { 'x-kumoi-client': 'console', 'x-forwarded-for': '203.0.113.9' }
      const made = await ask('POST', '/commonserviceitem', { body: PROJECT, headers })
      const id = made.body.CommonServiceItem.ID
      await ask('PUT', `/commonserviceitem/${id}`, {
        body: { CommonServiceItem: { Name: 'b' } },
      })
      await ask('GET', `/commonserviceitem/${id}`)
      const [updated, created, ...rest] = await entriesOf(database)
      assert.deepEqual(rest, [])
      assert.ok(created !== undefined && updated !== undefined)
      const { serial, at, ...known } = content(created)
      assert.match(serial, /^[0-9a-f]{32}$/)
      assert.equal(at.toISOString(), '2026-03-31T15:00:00.000Z')
      assert.deepEqual(known, {
        ...{ caller: 'key acme-…', account: 'acme', address: '127.0.0.1', client: 'console' },
        ...{ operation: 'itemCreate', target: { zone: 'is1a', created: id } },
        ...{ status: 201, code: undefined },
      })
      assert.deepEqual(updated.target, { zone: 'is1a', id })
      assert.equal(updated.operation, 'itemUpdate')
    })

    test('names what was created, whatever status and name of the id the answer has', async (t) => {
      const { ask, web, newSite, database } = await openWeb(t, { engine })
      const gateway = await ask('POST', '/appliance', { body: gatewayDraft('a') })
      const siteId = await newSite()
      await web('POST', `/site/${siteId}/origin-guard-token`)
      const [token, site, appliance] = await entriesOf(database)
      assert.equal(appliance?.target.created, gateway.body.Appliance.ID)
      assert.equal(site?.target.created, siteId)
      assert.deepEqual([token?.status, token?.target.created], [200, undefined])
    })

    test('cuts long parameters between characters', async (t) => {
      const { ask, cloud, database } = await openCloud(t, { engine })
      const id = `${'a'.repeat(63)}😀`
      await ask('DELETE', `/commonserviceitem/${encodeURIComponent(id)}`)
      await cloud.api.close()
      const [refused] = await entriesOf(database)
      assert.equal(refused?.target.id, `${'a'.repeat(63)}\ufffd`)
    })

    test('has what was refused to a known caller, and nothing of a stranger', async (t) => {
      const { ask, cloud, database } = await openCloud(t, { engine })
      const refused = await ask('POST', '/commonserviceitem', {
        ...{ token: 'acme-view', body: PROJECT },
      })
      assert.equal(refused.status, 403)
      await ask('POST', '/commonserviceitem', { body: { CommonServiceItem: {} } })
      await ask('DELETE', '/commonserviceitem/900000000099')
      await ask('POST', '/commonserviceitem', { secret: 'wrong', body: PROJECT })
      await ask('POST', '/commonserviceitem', { token: null, body: PROJECT })
      await cloud.api.close()
      const entries = await entriesOf(database)
      assert.deepEqual(
        entries.map(({ operation, status, code }) => `${operation} ${status} ${code}`).sort(),
        ['itemCreate 400 bad_request', 'itemCreate 403 forbidden', 'itemDelete 404 not_found'],
      )
      const forbidden = entries.find(({ status }) => status === 403)
      assert.equal(forbidden?.serial, refused.body.serial)
    })

    test('has the refusal of a right key for its address or its end, and nothing of a 429', async (t) => {
      const { ask, operator, cloud, database } = await openCloud(t, { engine })
      const create = async () => (await ask('POST', '/commonserviceitem', { body: PROJECT })).status
      const limit = (body: object) => operator('PUT', '/accounts/acme/keys/acme-token', { body })
      const statuses: number[] = []
      await limit({ allowed_addresses: ['192.0.2.1'] })
      // The second time the secret is known to be right.
      statuses.push(await create(), await create())
      await limit({ allowed_addresses: [], expires_at: '2026-03-01T00:00:00+09:00' })
      statuses.push(await create())
      await limit({ expires_at: null })
      await operator('PUT', '/accounts/acme/quotas', { body: { requests_per_second: 1 } })
      statuses.push(...(await Promise.all([create(), create(), create()])).sort())
      assert.deepEqual(statuses.slice(0, 3), [403, 403, 401])
      assert.equal(statuses.at(-1), 429)
      await cloud.api.close()
      const entries = (await entriesOf(database)).filter(
        ({ operation }) => operation === 'itemCreate',
      )
      assert.deepEqual(
        entries.map(({ status }) => status).sort(),
        statuses.filter((status) => status !== 429).sort(),
      )
      assert.deepEqual([...new Set(entries.map(({ caller }) => caller))], ['key acme-…'])
    })

    test('has what the operator did, with the account that it is about', async (t) => {
      const { operator, cloud, database } = await openCloud(t, { engine })
      const made = await operator('POST', '/accounts', { body: { code: 'new', name: 'New' } })
      const { body } = await operator('POST', '/accounts/new/keys', {
        body: { permission: 'view' },
      })
      await operator('DELETE', `/accounts/new/keys/${body.key.token}`)
      await operator('POST', '/clock/advance', { body: { by: '1h' } })
      await operator('DELETE', '/accounts/new/keys/no-such-key')
      await operator('POST', '/accounts', {
        ...{ body: { code: 'x', name: 'X' }, headers: { authorization: 'Bearer wrong' } },
      })
      await cloud.api.close()
      const entries = (await entriesOf(database)).reverse()
      assert.deepEqual(
        entries.map(({ caller, account, operation, status }) => [
          ...[caller, account, operation, status],
        ]),
        [
          ['operator', 'new', 'accountCreate', 201],
          ['operator', 'new', 'keyCreate', 201],
          ['operator', 'new', 'keyRevoke', 200],
          ['operator', undefined, 'clockAdvance', 200],
          ['operator', 'new', 'keyRevoke', 404],
        ],
      )
      assert.equal(entries[0]?.target.created, made.body.account.id)
      assert.equal(entries[1]?.target.created, `${body.key.token.slice(0, 8)}…`)
      const shown = JSON.stringify(entries)
      for (const secret of [body.key.token, body.secret, OPERATOR_TOKEN]) {
        assert.ok(!shown.includes(secret))
      }
      assert.equal(entries[2]?.target.token, `${body.key.token.slice(0, 8)}…`)
    })

    test('names the account of a bill that the operator marks as paid', async (t) => {
      const { operator, database } = await openCloud(t, { engine })
      const times = { Date: '2026-03-01T00:00:00+09:00', PayLimit: '2026-04-30T00:00:00+09:00' }
      const Bill = { BillID: 7, ...times, Paid: false, Amount: 0 }
      const body = { version: 1, bills: [{ account: 'acme', Bill, details: [] }] }
      assert.equal((await operator('POST', '/world', { body })).status, 200)
      await operator('PUT', '/bills/7/paid')
      const [paid] = await entriesOf(database)
      assert.deepEqual([paid?.operation, paid?.account], ['billPay', 'acme'])
    })

    test('names the account of a message that the operator lets fail', async (t) => {
      const { ask, operator, database } = await openCloud(t, { engine })
      const codes = { CommonServiceItem: { Name: 'a', Provider: { Class: 'esme' } } }
      const { ID } = (await ask('POST', '/commonserviceitem', { body: codes })).body
        .CommonServiceItem
      const ESME = { destination: '819012345678', sender: 'Acme', otpOperation: 'generate' }
      const sent = await ask('PUT', `/commonserviceitem/${ID}/esme/2fa/otp`, { body: { ESME } })
      await operator('POST', `/outbox/sms/${sent.body.ESME.messageId}/fail`)
      const [failed] = await entriesOf(database)
      assert.deepEqual([failed?.operation, failed?.account], ['smsOutboxFail', 'acme'])
    })

    test('begins with the reset that emptied it', async (t) => {
      const { operator, ask, database } = await openCloud(t, { engine })
      await ask('POST', '/commonserviceitem', { body: PROJECT })
      assert.equal((await operator('POST', '/reset', { body: { to: 'world' } })).status, 200)
      await operator('POST', '/world', { body: TEST_WORLD })
      const entries = await entriesOf(database)
      assert.deepEqual(
        entries.map(({ operation }) => operation),
        ['worldApply', 'reset'],
      )
    })

    test('goes on after the snapshot that was loaded', async (t) => {
      const { operator, ask, database } = await openCloud(t, { engine })
      await ask('POST', '/commonserviceitem', { body: PROJECT })
      await operator('POST', '/snapshots', { body: { name: 'one' } })
      await ask('POST', '/commonserviceitem', { body: PROJECT })
      await operator('POST', '/snapshots/one/load')
      await ask('POST', '/commonserviceitem', { body: PROJECT })
      const entries = await entriesOf(database)
      assert.deepEqual(
        entries.map(({ operation }) => operation),
        ['itemCreate', 'snapshotLoad', 'itemCreate'],
      )
    })

    test('is not counted among the changes of a call', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      await ask('POST', '/commonserviceitem', { body: PROJECT })
      const { requests } = (await operator('GET', '/requests')).body
      const { body } = await operator('GET', `/requests/${requests[0].serial}`)
      assert.ok(body.request.rows_changed.item === 1)
      assert.ok(!('audit' in body.request.rows_changed))
    })
  })
}

function content({ id: _id, link: _link, ...entry }: StoredEntry) {
  return entry
}
