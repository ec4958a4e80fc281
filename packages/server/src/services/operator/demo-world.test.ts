import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCloud } from '../../testing/cloud.ts'
import { DEMO_WORLD } from './demo-world.ts'

describe('the demo world', () => {
  test('is a valid world, which a first start takes on trust', async (t) => {
    const { operator } = await openCloud(t)
    await operator('POST', '/reset', { body: { to: 'empty' } })
    const applied = await operator('POST', '/world', { body: DEMO_WORLD })
    assert.equal(applied.status, 200, applied.text)
    const again = await operator('POST', '/world', { body: DEMO_WORLD })
    for (const { created } of Object.values<{ created: number }>(again.body.changes)) {
      assert.equal(created, 0)
    }
  })
})
