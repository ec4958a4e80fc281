import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readToken } from './data-folder.ts'

const newFolder = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-data-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the network token is made once, for its owner alone', (t) => {
  const folder = newFolder(t)
  const made = readToken('network', folder, undefined)
  assert.ok(made.length >= 32)
  assert.equal(readToken('network', folder, undefined), made)
  const file = join(folder, 'network.token')
  assert.equal(readFileSync(file, 'utf8').trim(), made)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('a network token that is given goes before the one that was made', (t) => {
  const folder = newFolder(t)
  const file = join(folder, 'given')
  writeFileSync(file, 'from-a-file\n')
  assert.equal(readToken('network', folder, 'given'), 'given')
  assert.equal(readToken('network', folder, { file }), 'from-a-file')
  assert.throws(
    () => readToken('network', folder, { file: join(folder, 'none') }),
    /The file .*none of --network-token-file cannot be read/,
  )
  writeFileSync(file, '\n')
  assert.throws(() => readToken('network', folder, { file }), /must hold one line/)
})
