import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import type { Blobs } from './blobs.ts'
import { FileBlobs } from './blobs-fs.ts'
import { MemoryBlobs } from './blobs-memory.ts'

const folderOf = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-blobs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const kinds: [string, (t: TestContext) => Promise<Blobs>][] = [
  ['FileBlobs', (t) => FileBlobs.open(folderOf(t))],
  ['MemoryBlobs', async () => new MemoryBlobs()],
]

const contentOf = async (blobs: Blobs, key: string, range?: { start: number; end: number }) => {
  const content = await blobs.read(key, range)
  return content && text(content)
}

for (const [name, open] of kinds) {
  describe(name, () => {
    test('gives back what was written, whole or a range of it', async (t) => {
      const blobs = await open(t)
      assert.equal(await blobs.write('a/b', Readable.from(['hello ', 'world'])), 11)
      assert.equal(await contentOf(blobs, 'a/b'), 'hello world')
      assert.equal(await contentOf(blobs, 'a/b', { start: 6, end: 8 }), 'wor')
    })

    test('replaces, deletes and clears', async (t) => {
      const blobs = await open(t)
      await blobs.write('a', Readable.from(['one']))
      await blobs.write('a', Readable.from(['two']))
      assert.equal(await contentOf(blobs, 'a'), 'two')
      await blobs.delete('a')
      await blobs.delete('a')
      assert.equal(await blobs.read('a'), undefined)
      await blobs.write('b', Readable.from(['x']))
      await blobs.clear()
      assert.equal(await blobs.read('b'), undefined)
    })

    test('lists what is on the top level, with sizes', async (t) => {
      const blobs = await open(t)
      await blobs.write('b', Readable.from(['three']))
      await blobs.write('a', Readable.from(['one']))
      await blobs.write('c/d', Readable.from(['deeper']))
      assert.deepEqual(await blobs.list(), [
        { key: 'a', bytes: 3 },
        { key: 'b', bytes: 5 },
      ])
    })

    test('keeps the old content when the new one breaks off', async (t) => {
      const blobs = await open(t)
      await blobs.write('a', Readable.from(['old']))
      const broken = new Readable({ read() {} })
      broken.push('half')
      setImmediate(() => broken.destroy(new Error('broken off')))
      await assert.rejects(blobs.write('a', broken), /broken off/)
      assert.equal(await contentOf(blobs, 'a'), 'old')
    })

    test('refuses keys that could leave its place', async (t) => {
      const blobs = await open(t)
      for (const key of ['../x', '/x', 'a//b', 'A', '', 'a/../b', '.x']) {
        await assert.rejects(blobs.write(key, Readable.from(['x'])), /is not a blob key/)
      }
    })
  })
}

describe('FileBlobs.open', () => {
  test('sweeps away what an earlier process left unfinished', async (t) => {
    const folder = folderOf(t)
    await FileBlobs.open(folder)
    writeFileSync(join(folder, 'unfinished', '1-1'), 'half')
    await FileBlobs.open(folder)
    assert.deepEqual(readdirSync(join(folder, 'unfinished')), [])
    assert.ok(existsSync(join(folder, 'content')))
  })
})
