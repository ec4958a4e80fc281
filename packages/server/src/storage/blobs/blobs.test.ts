import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { RunningClock } from '../../kernel/clock.ts'
import { S3_KEYS, S3Server } from '../../testing/s3-server.ts'
import type { Blobs } from './blobs.ts'
import { FileBlobs } from './file-system.ts'
import { MemoryBlobs } from './memory.ts'
import { S3Blobs } from './s3.ts'

const folderOf = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-blobs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function openS3(t: TestContext): Promise<Blobs> {
  const { url: endpoint } = await S3Server.open(t)
  return s3At(endpoint)
}

/** With parts so small that a few words have several. */
function s3At(endpoint: string, more: object = {}): S3Blobs {
  const now = () => new RunningClock().now()
  return new S3Blobs({ endpoint, bucket: 'bucket', ...S3_KEYS, now, partBytes: 4, ...more })
}

const kinds: [string, (t: TestContext) => Promise<Blobs>][] = [
  ['FileBlobs', (t) => FileBlobs.open(folderOf(t))],
  ['MemoryBlobs', async () => new MemoryBlobs()],
  ['S3Blobs', openS3],
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
    // More than the system gives out; the other is still running.
    writeFileSync(join(folder, 'unfinished', '99999999-1'), 'half')
    writeFileSync(join(folder, 'unfinished', `${process.ppid}-1`), 'half')
    await FileBlobs.open(folder)
    assert.deepEqual(readdirSync(join(folder, 'unfinished')), [`${process.ppid}-1`])
    assert.ok(existsSync(join(folder, 'content')))
  })
})

test('a content in a file is read as a whole when it is deleted before the first byte', async (t) => {
  const folder = folderOf(t)
  const blobs = await FileBlobs.open(folder)
  await blobs.write('a', Readable.from(['content']))
  const content = await blobs.read('a')
  // At once: a file that is opened only now is gone.
  rmSync(join(folder, 'content', 'a'))
  assert.ok(content)
  assert.equal(await text(content), 'content')
})

describe('S3Blobs', () => {
  test('puts up small blobs whole and larger ones in parts, and leaves no parts behind', async (t) => {
    const server = await S3Server.open(t)
    const blobs = s3At(server.url)
    for (const text of ['', 'abc', 'abcd', 'abcde', 'abcdefgh', 'abcdefghi']) {
      assert.equal(
        await blobs.write('a', Readable.from([text.slice(0, 2), text.slice(2)])),
        text.length,
      )
      assert.equal(server.objects.get('a')?.toString(), text)
    }
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('0123456789')
        throw new Error('broken off')
      })(),
    )
    await assert.rejects(blobs.write('a', broken), /broken off/)
    assert.equal(server.objects.get('a')?.toString(), 'abcdefghi')
    assert.equal(server.uploads.size, 0)
  })

  test('lists and clears more than one page', async (t) => {
    const server = await S3Server.open(t)
    const blobs = s3At(server.url)
    for (const key of ['e', 'd', 'c', 'b', 'a', 'f/g']) await blobs.write(key, Readable.from(['x']))
    const keys = (await blobs.list()).map(({ key }) => key)
    assert.deepEqual(keys, ['a', 'b', 'c', 'd', 'e'])
    await blobs.clear()
    assert.equal(server.objects.size, 0)
  })

  test('says what the service says when it refuses', async (t) => {
    const { url } = await S3Server.open(t)
    const wrongKey = s3At(url, { secretKey: 'wrong' })
    await assert.rejects(wrongKey.write('a', Readable.from(['x'])), /403 SignatureDoesNotMatch/)
    await assert.rejects(wrongKey.read('a'), /403/)
    const wrongBucket = s3At(url, { bucket: 'other' })
    await assert.rejects(wrongBucket.list(), /404 NoSuchBucket/)
  })
})
