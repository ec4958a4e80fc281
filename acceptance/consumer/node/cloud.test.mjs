/** node:test, and what is imported is what is required: one server in the process. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { createClient } from '@kumoi/client'
import { startCloud } from 'kumoi/testing'

test('a cloud with a client', async () => {
  await using cloud = await startCloud()
  const client = createClient({
    baseUrl: cloud.url,
    token: 'demo-token',
    secret: 'demo-secret',
    fetch: cloud.fetch,
  })
  const { Account } = await client.orThrow.authStatus()
  assert.equal(Account.Code, 'demo')
  assert.equal(createRequire(import.meta.url)('kumoi/testing').startCloud, startCloud)
})
