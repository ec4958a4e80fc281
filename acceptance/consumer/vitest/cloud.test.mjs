/** Vitest as it comes, without a configuration. */

import { cloudFor } from 'kumoi/testing'
import { expect, test } from 'vitest'

test('a cloud that ends with its test', async (context) => {
  const cloud = await cloudFor(context, { clock: new Date('2026-04-28T00:00:00+09:00') })
  await cloud.clock.advance({ days: 1 })
  expect(cloud.clock.now().toISOString()).toBe('2026-04-28T15:00:00.000Z')
  const answer = await cloud.fetch('/cloud/zone/is1a/api/cloud/1.1/auth-status')
  expect(answer.status).toBe(401)
})
