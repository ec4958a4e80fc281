import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

const JA = { email: 'owner@example.jp', language: 'ja' }

for (const engine of engines) {
  describe(`the contact of an account on ${engine.name}`, () => {
    test('is set, changed in part, and taken away; the name is another matter', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const put = async (body: object) => {
        const answer = await operator('PUT', '/accounts/acme', { body })
        assert.equal(answer.status, 200, answer.text)
        return answer.body.account
      }
      const of = async (code: string) =>
        (await operator('GET', '/accounts')).body.accounts.find(
          (account: { code: string }) => account.code === code,
        )
      assert.equal((await of('acme')).contact, null)
      assert.deepEqual((await put({ contact: JA })).contact, JA)
      assert.deepEqual(await put({ name: 'Acme 2' }), await of('acme'))
      assert.deepEqual([(await of('acme')).name, (await of('acme')).contact], ['Acme 2', JA])
      const moved = { email: 'new@example.jp', language: 'ja' }
      assert.deepEqual((await put({ contact: { email: 'new@example.jp' } })).contact, moved)
      assert.equal((await put({ contact: null })).contact, null)
      assert.equal((await of('other')).contact, null)
      const body = { code: 'third', name: 'Third', contact: { email: 'third@example.jp' } }
      const made = await operator('POST', '/accounts', { body })
      assert.deepEqual(made.body.account.contact, { email: 'third@example.jp', language: 'en' })
    })

    test('is refused when it is no address, and for an account that is not there', async (t) => {
      const { operator } = await openCloud(t, { engine })
      for (const contact of [
        { email: 'owner' },
        { email: 'a@example.jp\r\nBcc: b@example.jp' },
        { email: `${'a'.repeat(255)}@example.jp` },
        { email: 'owner@example.jp', language: 'fr' },
        { email: 'owner@example.jp', phone: '1' },
        { language: 'ja' },
      ]) {
        const answer = await operator('PUT', '/accounts/acme', { body: { contact } })
        assert.equal(answer.status, 400, JSON.stringify(contact))
        assert.match(answer.body.error_msg, /contact/)
      }
      assert.equal((await operator('PUT', '/accounts/nobody', { body: {} })).status, 404)
    })

    test('comes with a world file, stays when one leaves it out, and leaves with the export', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const apply = async (more: object) => {
        const accounts = [{ code: 'acme', name: 'Acme', ...more }]
        const answer = await operator('POST', '/world', { body: { version: 1, accounts } })
        return answer.body.changes?.accounts ?? answer
      }
      const exported = async () => {
        const { accounts } = (await operator('GET', '/world')).body
        return accounts.find(({ code }: { code: string }) => code === 'acme').contact
      }
      assert.equal((await apply({ contact: JA })).updated, 1)
      assert.deepEqual(await exported(), JA)
      assert.equal((await apply({ contact: JA })).unchanged, 1)
      assert.equal((await apply({})).unchanged, 1)
      assert.deepEqual(await exported(), JA)
      assert.equal((await apply({ contact: null })).updated, 1)
      assert.equal(await exported(), undefined)
      const refused = await apply({ contact: { email: 'no address' } })
      assert.equal(refused.status, 400)
      assert.match(refused.body.error_msg, /accounts\[0\]\.contact/)
    })
  })
}
