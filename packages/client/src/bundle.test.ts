import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const LIMIT_BYTES = 15_000

test('the whole client is under 15 kB, gzipped', async (t) => {
  await using build = await rolldown({
    input: join(import.meta.dirname, 'public.ts'),
    platform: 'neutral',
  })
  const { output } = await build.generate()
  // Not minified: with all that a user may import of it.
  const bytes = gzipSync(output[0].code, { level: 9 }).length
  t.diagnostic(`${bytes} bytes`)
  assert.ok(bytes < LIMIT_BYTES, `${bytes} bytes`)
})
