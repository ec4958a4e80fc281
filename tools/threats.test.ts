/** Each threat of SECURITY.md has a test, which is there. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { REPOSITORY } from './lib/program.ts'

const PAGE = readFileSync(join(REPOSITORY, 'SECURITY.md'), 'utf8')
const BASES = [REPOSITORY, join(REPOSITORY, 'packages/server/src')]

test('every threat of SECURITY.md names a test that is there', () => {
  const [, section = ''] = PAGE.split('## Threat model')
  const rows = section.split('\n## ')[0]?.match(/^\| (?!Who|-).*$/gm) ?? []
  assert.ok(rows.length > 20, `${rows.length} threats`)
  for (const row of rows) {
    const tests = [...(row.split(' | ').at(-1) ?? '').matchAll(/`([\w/.-]+)` "([^"]+)"/g)]
    assert.ok(tests.length > 0, `no test: ${row}`)
    for (const [, path = '', title = ''] of tests) {
      const file = BASES.map((base) => join(base, path)).find(existsSync)
      assert.ok(file !== undefined, `${path} is missing`)
      const literal = title.replaceAll(/[^\w ]/g, '\\$&')
      // A statement that begins with it: not a comment, and not `test.skip`.
      const named = new RegExp(`^\\s*\\w+\\(\\s*['"\`].*${literal}`, 'm')
      assert.match(readFileSync(file, 'utf8'), named, `${path} has no test "${title}"`)
    }
  }
})
