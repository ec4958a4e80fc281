/** A sample of the soak, and that it would see what grows. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { growth } from './flat.ts'
import { soak } from './soak.ts'

const skip = process.platform !== 'linux' && 'it reads /proc, which Linux has'

test('everything at once, for some seconds, without a failure', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-soak-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = (text: string) => t.diagnostic(text)
  const { figures, violations } = await soak.run({ seed: 1, size: 'sample', folder, log })
  assert.deepEqual(violations, [])
  for (const { name, value } of figures.filter(({ name }) => name !== 'failures')) {
    assert.notEqual(value, '0', name)
  }
})

describe('growth', () => {
  const series = (of: (minute: number) => number) =>
    Array.from({ length: 61 }, (_, minute) => [minute, of(minute)] as const)
  const limit = { ratio: 1.1, allowance: 0 }

  test('is not what warms up, nor what goes up and down', () => {
    assert.equal(
      growth(
        series((minute) => Math.min(100, minute * 10)),
        limit,
      ),
      undefined,
    )
    assert.equal(
      growth(
        series((minute) => 100 + 50 * (minute % 2)),
        limit,
      ),
      undefined,
    )
  })

  test('is what goes on for the whole time', () => {
    assert.match(
      growth(
        series((minute) => 100 + minute),
        limit,
      ) ?? '',
      /from 132 to 15[23]/,
    )
  })
})
