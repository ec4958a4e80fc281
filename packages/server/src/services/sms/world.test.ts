import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'

const item = (more: object = {}) => ({ ID: '900000002001', Name: 'codes', ...more })
const world = (...items: object[]) => ({
  version: 1,
  sms: items.map((CommonServiceItem) => ({ account: 'acme', CommonServiceItem })),
})

for (const engine of engines) {
  describe(`sms of a world on ${engine.name}`, () => {
    test('makes items, once, and exports them in the same form', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const apply = async (body: object) =>
        (await operator('POST', '/world', { body })).body.changes
      const declared = world(item({ Description: 'd', Tags: ['a'] }), { Name: 'without id' })
      assert.deepEqual((await apply(declared)).sms, { created: 2, updated: 0, unchanged: 0 })
      assert.deepEqual((await apply(declared)).sms, { created: 0, updated: 0, unchanged: 2 })
      const read = (await ask('GET', '/commonserviceitem/900000002001')).body.CommonServiceItem
      assert.deepEqual([read.Name, read.Description, read.Tags], ['codes', 'd', ['a']])
      const exported = (await operator('GET', '/world')).body
      assert.equal(exported.sms.length, 2)
      assert.deepEqual(exported.sms[0], {
        account: 'acme',
        CommonServiceItem: item({ Description: 'd', Tags: ['a'] }),
      })
      assert.deepEqual((await apply(exported)).sms, { created: 0, updated: 0, unchanged: 2 })
    })

    test('exports what the API has made so that it can be applied after a reset', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      const Icon = { ID: '112233445566' }
      const body = { CommonServiceItem: { Provider: { Class: 'esme' }, Tags: ['a', 'b'], Icon } }
      const made = (await ask('POST', '/commonserviceitem', { body })).body.CommonServiceItem
      const exported = (await operator('GET', '/world')).body
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await operator('POST', '/world', { body: exported })).status, 200)
      const read = await ask('GET', `/commonserviceitem/${made.ID}`)
      assert.deepEqual(read.body.CommonServiceItem, made)
    })

    test('keeps what the API has changed, unless it is to replace it', async (t) => {
      const { operator, ask } = await openCloud(t, { engine })
      await operator('POST', '/world', { body: world(item()) })
      const path = '/commonserviceitem/900000002001'
      await ask('PUT', path, { body: { CommonServiceItem: { Name: 'changed' } } })
      const name = async () => (await ask('GET', path)).body.CommonServiceItem.Name
      await operator('POST', '/world', { body: world(item()) })
      assert.equal(await name(), 'changed')
      const replaced = await operator('POST', '/world?mode=replace', { body: world(item()) })
      assert.deepEqual(replaced.body.changes.sms, { created: 0, updated: 1, unchanged: 0 })
      assert.equal(await name(), 'codes')
    })

    test('answers 400 that names the line for an unknown account or an id that is taken or kept', async (t) => {
      const { operator } = await openCloud(t, { engine })
      const apply = async (account: string, ID: string) =>
        (
          await operator('POST', '/world', {
            body: `version: 1\nsms:\n  - account: ${account}\n    CommonServiceItem:\n      ID: "${ID}"\n      Name: x\n`,
          })
        ).body.error_msg
      assert.match(
        await apply('nobody', '900000002001'),
        /world:3: sms\[0\]\.account nobody does not/,
      )
      assert.match(await apply('acme', '999999999999'), /world:5: .*may be at most/)
      await operator('POST', '/world', { body: world(item()) })
      assert.match(
        await apply('other', '900000002001'),
        /world:5: .*ID 900000002001 is the id of an item/,
      )
    })
  })
}
