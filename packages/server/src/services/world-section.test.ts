import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../testing/cloud.ts'
import { engines } from '../testing/engines.ts'
import { DRAFT } from '../testing/webaccel.ts'

for (const engine of engines) {
  describe(`ids in a world file on ${engine.name}`, () => {
    test('are refused when a thing of another kind has them, and nothing is applied', async (t) => {
      const { operator, ask, clock } = await openCloud(t, { engine })
      const item = { CommonServiceItem: { Name: 'sms', Provider: { Class: 'esme' } } }
      const made = await ask('POST', '/commonserviceitem', { body: item })
      const lan = await ask('POST', '/switch', { body: { Switch: { Name: 'lan' } } })
      await clock.advanceTo(new Date(clock.now().getTime() + 1000))
      const ids = {
        'an account': '900000000001',
        'an item': made.body.CommonServiceItem.ID,
        'a switch': lan.body.Switch.ID,
      }
      const account = (id: string) => ({ accounts: [{ id, code: 'new', name: 'New' }] })
      const sms = (ID: string) => ({
        sms: [{ account: 'other', CommonServiceItem: { ID, Name: 'new' } }],
      })
      const site = (ID: string) => ({ sites: [{ account: 'acme', Site: { ...DRAFT, ID } }] })
      for (const [kind, id] of Object.entries(ids)) {
        for (const section of [account(id), sms(id), site(id)]) {
          const answer = await operator('POST', '/world', { body: { version: 1, ...section } })
          assert.equal(answer.status, 400, answer.text)
          assert.match(answer.body.error_msg, new RegExp(`${id} is the id of ${kind}`))
        }
      }
      const { body } = await operator('GET', '/accounts')
      assert.equal(body.accounts.length, 2)
    })

    test('an account code that is given twice is refused, and both places are named', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const accounts = ['one', 'two', 'one'].map((code) => ({ code, name: code }))
      const answer = await operator('POST', '/world', { body: { version: 1, accounts } })
      assert.equal(answer.status, 400)
      assert.match(
        answer.body.error_msg,
        /accounts\[2\]\.code one is given twice; accounts\[0\] has it already/,
      )
      assert.equal((await operator('GET', '/accounts')).body.accounts.length, 2)
    })
  })
}
