/** Vitest hands a test its own end. */
import { cloudFor } from 'kumoi/testing'

test('a cloud that ends with its test', async (context) => {
  const cloud = await cloudFor(context, { clock: new Date('2026-04-28T00:00:00+09:00') })
  await cloud.clock.advance({ days: 1 })
  expect(cloud.clock.now().toISOString()).toBe('2026-04-28T15:00:00.000Z')
})
