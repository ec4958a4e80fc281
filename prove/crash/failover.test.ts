import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { failover } from './failover.ts'

test('the loss of the database’s leader under Patroni loses nothing that was answered', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-prove-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const options = { seed: 1, size: 'sample', folder, log: () => undefined } as const
  const { figures, violations } = await failover.run(options)
  const [missing] = violations
  if (missing?.startsWith('Patroni is missing')) return t.skip(missing)
  assert.deepEqual(violations, [])
  for (const { name, value } of figures) {
    t.diagnostic(`${name}: ${value}`)
    if (!/unknown|Refused/.test(name)) assert.ok(Number(value) > 0, name)
  }
})
