import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { buildClient } from './build-client.ts'

test('the built client is plain JavaScript with declarations, and works', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-client-'))
  t.after(() => rmSync(folder, { recursive: true }))
  buildClient(folder)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.deepEqual([manifest.private, manifest.dependencies], [undefined, undefined])
  const { types, default: main } = manifest.exports['.']
  assert.match(readFileSync(join(folder, types), 'utf8'), /createClient.*from '\.\/client/)
  const { createClient } = await import(pathToFileURL(join(folder, main)).href)
  const fetch = async (url: string) => Response.json({ url })
  const result = await createClient({ baseUrl: 'https://localhost/cloud', fetch }).clockRead()
  assert.deepEqual(result.data, { url: 'https://localhost/_kumoi/v1/clock' })
})
