import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestEdge } from '../testing/edge.ts'

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'
const FOLDER = '/.well-known/acme-challenge'

test('an edge answers challenges of our orders under any name; others are for the origin', async (t) => {
  const edge = await TestEdge.start(
    (_request, response) => response.end('of the origin'),
    {},
    { findChallenge: async (token) => (token === TOKEN ? `${token}.thumbprint` : undefined) },
  )
  t.after(() => edge.stop())
  for (const host of [undefined, 'api.example.jp']) {
    const { status, body, headers } = await edge.ask(`${FOLDER}/${TOKEN}`, host ? { host } : {})
    assert.deepEqual([status, body.trim()], [200, `${TOKEN}.thumbprint`])
    assert.equal(headers['cache-control'], 'no-store')
  }
  assert.deepEqual(edge.requests, [])
  assert.equal((await edge.get(`${FOLDER}/${TOKEN}x`)).body, 'of the origin')
})
