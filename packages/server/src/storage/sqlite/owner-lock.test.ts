import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { takeOwnership } from './owner-lock.ts'

describe('takeOwnership', () => {
  test('gives a folder to one at a time', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-lock-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const lock = takeOwnership(folder)
    assert.throws(() => takeOwnership(folder), /is in use by another Kumoi process/)
    lock.release()
    takeOwnership(folder).release()
  })
})
