import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Faults } from './faults.ts'
import { machine } from './machine.ts'

const skip = process.platform !== 'linux' && 'it preloads a library, which is for Linux'

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-prove-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('faults of the machine lose nothing that was answered, are named, and leave when they are gone', {
  skip,
}, async (t) => {
  const options = { seed: 1, size: 'sample', folder: newFolder(t), log: () => undefined } as const
  const { figures, violations } = await machine.run(options)
  assert.deepEqual(violations, [])
  for (const { name, value } of figures) {
    t.diagnostic(`${name}: ${value}`)
    if (!/ended/.test(name)) assert.ok(Number(value) > 0, name)
  }
})

test('faults are met by a process that writes, flushes or reads the clock, and by nobody else', {
  skip,
}, (t) => {
  const folder = newFolder(t)
  const faults = Faults.prepare(folder, join(folder, 'data'))
  if (faults === undefined) return t.skip('there is no C compiler (Debian: gcc, libc6-dev)')
  const file = join(folder, 'data')
  const program = `
    const { openSync, writeSync, fsyncSync } = require('node:fs')
    const handle = openSync(${JSON.stringify(file)}, 'r+')
    const codeOf = (work) => { try { work(); return 'done' } catch (error) { return error.code } }
    console.log([codeOf(() => writeSync(handle, 'x')), codeOf(() => fsyncSync(handle)), Date.now()].join())`
  const met = () => {
    const env = { ...process.env, ...faults.environment }
    const { stdout } = spawnSync(process.execPath, ['-e', program], { env, encoding: 'utf8' })
    const [write, flush, now] = stdout.trim().split(',')
    return [write, flush, Math.round((Number(now) - Date.now()) / 3_600_000) || 0]
  }
  writeFileSync(file, 'a')
  assert.deepEqual(met(), ['done', 'done', 0])
  faults.failWrites('ENOSPC')
  assert.deepEqual(met(), ['ENOSPC', 'done', 0])
  faults.failWrites(undefined)
  faults.failFlushes('EIO')
  faults.stepClock(-3600)
  assert.deepEqual(met(), ['done', 'EIO', -1])
  // Only those that load the library.
  writeFileSync(file, 'b')
})
