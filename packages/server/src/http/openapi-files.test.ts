import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { families } from '../contracts.ts'
import { startCloud } from '../start/testing.ts'

describe('GET /openapi/FAMILY.json', () => {
  test('answers everybody with the committed document and where to call', async (t) => {
    const cloud = await startCloud()
    t.after(cloud.stop)
    for (const { name, root } of families) {
      assert.equal((await cloud.fetch(`/openapi/${name}`)).status, 200)
      const answer = await cloud.fetch(`/openapi/${name}.json`)
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      const file = new URL(`../../../../openapi/${name}.json`, import.meta.url)
      const url = root ? cloud.origin : cloud.url
      assert.deepEqual(await answer.json(), {
        ...JSON.parse(readFileSync(file, 'utf8')),
        servers: [{ url }],
      })
    }
  })

  test('answers 404 for a family that is not there', async (t) => {
    const cloud = await startCloud()
    t.after(cloud.stop)
    const answer = await cloud.fetch('/openapi/nothing.json')
    assert.equal(answer.status, 404)
    assert.equal((await answer.json()).error_code, 'not_found')
  })
})
