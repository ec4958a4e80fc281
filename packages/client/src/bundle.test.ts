import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const LIMIT_BYTES = 15_000

/** Not even minified: a bundler would do better. */
test('the whole client is under 15 kB, gzipped', (t) => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts'] }).sort()
  assert.ok(files.includes('generated/operations.ts'))
  const code = files
    .map((file) => stripTypeScriptTypes(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')))
    .join('\n')
    // Types leave their place behind as spaces.
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
  const bytes = gzipSync(code, { level: 9 }).length
  t.diagnostic(`${bytes} bytes in ${files.length} files`)
  assert.ok(bytes < LIMIT_BYTES, `${bytes} bytes`)
})
