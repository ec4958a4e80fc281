import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

const PROJECT = { CommonServiceItem: { Name: 'a', Provider: { Class: 'iotplatform' } } }

for (const engine of engines) {
  describe(`reading the audit trail on ${engine.name}`, () => {
    test('by the operator: all of it, by filters, page by page', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      for (let n = 0; n < 101; n += 1) {
        await ask('POST', '/commonserviceitem', { body: PROJECT })
      }
      await operator('POST', '/clock/advance', { body: { by: '1m' } })
      await ask('POST', '/commonserviceitem', { token: 'other-token', body: PROJECT })
      await operator('PUT', '/accounts/other', { body: { name: 'Another' } })
      const read = async (query: string) => (await operator('GET', `/audit?${query}`)).body
      const first = await read('')
      assert.equal(first.entries.length, 100)
      const [newest, second] = first.entries
      assert.deepEqual(
        [newest.operation, newest.caller, newest.account, newest.number],
        ['accountUpdate', 'operator', 'other', null],
      )
      assert.equal(second.target.created.length, 12)
      const rest = await read(`before=${first.next}`)
      assert.deepEqual([rest.entries.length, rest.next], [4, null])
      assert.equal(new Set([...first.entries, ...rest.entries].map(({ id }) => id)).size, 104)
      assert.equal((await read('account=other')).entries.length, 2)
      assert.equal((await read('operation=accountUpdate')).entries.length, 1)
      assert.deepEqual((await read(`serial=${second.serial}`)).entries, [second])
      const since = encodeURIComponent('2026-04-01T00:01:00+09:00')
      assert.equal((await read(`since=${since}`)).entries.length, 3)
      assert.equal((await read(`until=${since}&before=${rest.entries[0].id}`)).entries.length, 3)
      for (const broken of ['since=yesterday', 'before=99999', 'before=x', 'account=%00']) {
        assert.equal((await operator('GET', `/audit?${broken}`)).status, 400, broken)
      }
    })

    test('by an account: its own calls and what the operator did to it', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      await ask('POST', '/commonserviceitem', { token: 'other-token', body: PROJECT })
      await ask('POST', '/commonserviceitem', { body: PROJECT })
      await operator('PUT', '/accounts/acme', {
        ...{ body: { name: 'Another' }, headers: { 'x-kumoi-client': 'console' } },
      })
      const { body } = await ask('GET', '/audit', { token: 'acme-view' })
      assert.equal(body.Next, null)
      assert.deepEqual(
        body.AuditEntries.map((entry: Record<string, unknown>) => [
          ...[entry.Operation, entry.Caller, entry.Address, entry.Client, entry.Status],
        ]),
        [
          ['accountUpdate', 'operator', null, null, 200],
          ['itemCreate', 'key acme-…', '127.0.0.1', null, 201],
        ],
      )
      const one = (await ask('GET', '/audit?Operation=itemCreate')).body.AuditEntries
      assert.equal(one.length, 1)
      // Another account's entry is no place to read on from.
      const [others] = (await operator('GET', '/audit?account=other')).body.entries
      assert.equal((await ask('GET', `/audit?Before=${others.id}`)).status, 400)
      assert.equal((await ask('GET', `/audit?Before=${one[0].ID}`)).status, 200)
      assert.equal((await ask('GET', '/audit?Since=never')).status, 400)
    })
  })
}
