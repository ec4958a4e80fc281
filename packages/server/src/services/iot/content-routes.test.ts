/** What becomes of a blob when the commit of its upload fails, on every kind of blob store. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { RunningClock } from '../../kernel/clock.ts'
import type { ItemId } from '../../kernel/ids.ts'
import { SeededRandom } from '../../kernel/random.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import { FileBlobs } from '../../storage/blobs/file-system.ts'
import { MemoryBlobs } from '../../storage/blobs/memory.ts'
import { S3Blobs } from '../../storage/blobs/s3.ts'
import type { Database } from '../../storage/database.ts'
import { engines, onSqlite, type TestEngine } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { S3_KEYS, S3Server } from '../../testing/s3-server.ts'
import { uploadHandlers } from './content-routes.ts'
import { FileStore } from './file-store.ts'
import { sweepJob } from './sweep-job.ts'
import { UploadStore } from './upload-store.ts'

async function open(t: TestContext, engine: TestEngine, blobs: Blobs = new MemoryBlobs()) {
  const { database, clock, cloud, vmgw, createProject } = await openIot(t, { engine })
  await cloud.jobs.stop()
  const projectId = (await createProject()) as ItemId
  await vmgw('PUT', projectId, '/files/f/stat')
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + HOUR_MS)
  const holder = { hash: 'hash', projectId, name: 'f', expiresAt }
  await database.write((tx) => new UploadStore(tx).insertToken(holder))
  const { fileContentPut } = uploadHandlers(blobs, new SeededRandom('x'), () => undefined)
  const upload = (
    through: Database = database,
    content = Readable.from([Buffer.from('content')]),
  ) =>
    fileContentPut(
      {
        params: { project_id: projectId, file_id: 'f' },
        query: undefined,
        body: { open: async () => ({ mediaType: undefined, content }) },
      },
      {
        ...{ database: through, holder, now, origin: '', asNumbers: false },
        header: () => undefined,
      },
    )
  const sweepAfter = (ms: number) => sweepJob(blobs).run(database, new Date(now.getTime() + ms))
  const current = async () => {
    const file = await database.read((tx) => new FileStore(tx, projectId).find('f'))
    const content = await blobs.read(file?.blobKey ?? 'none')
    return content && text(content)
  }
  return { database, blobs, holder, upload, sweepAfter, current }
}

/** Its second write fails: before the commit, or after it as when the connection is lost. */
function failing(database: Database, when: 'before' | 'after'): Database {
  let writes = 0
  return {
    engine: database.engine,
    read: (work) => database.read(work),
    exclusive: (work) => database.exclusive(work),
    close: () => database.close(),
    async write(work) {
      writes += 1
      if (writes === 2 && when === 'before') throw new Error('no connection')
      const result = await database.write(work)
      if (writes === 2) throw new Error('connection lost')
      return result
    },
  }
}

for (const engine of engines) {
  describe(`a blob on ${engine.name}`, () => {
    test('stays when the commit succeeded though its answer was lost', async (t) => {
      const { database, upload, sweepAfter, current } = await open(t, engine)
      await assert.rejects(upload(failing(database, 'after')), /connection lost/)
      assert.equal(await current(), 'content')
      await sweepAfter(2 * HOUR_MS)
      assert.equal(await current(), 'content')
    })

    test('is swept when the upload is refused', async (t) => {
      const { database, blobs, holder, upload, sweepAfter } = await open(t, engine)
      await database.write((tx) => new UploadStore(tx).useToken(holder.hash))
      await assert.rejects(upload(), /used meanwhile/)
      await sweepAfter(HOUR_MS + 1)
      assert.deepEqual(await blobs.list(), [])
    })

    test('is not accepted, and is swept once more, when its upload lasts longer than the sweep waits', async (t) => {
      const { blobs, upload, sweepAfter } = await open(t, engine)
      const content = Readable.from(
        (async function* () {
          yield Buffer.from('first')
          await sweepAfter(HOUR_MS + 1)
          yield Buffer.from('second')
        })(),
      )
      await assert.rejects(upload(undefined, content), /used meanwhile/)
      await sweepAfter(HOUR_MS + 1)
      assert.deepEqual(await blobs.list(), [])
    })
  })
}

const kinds: [string, (t: TestContext) => Promise<Blobs>][] = [
  ['files', (t) => openFiles(t)],
  ['memory', async () => new MemoryBlobs()],
  ['S3', (t) => openS3(t)],
]

async function openFiles(t: TestContext): Promise<Blobs> {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-blobs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return FileBlobs.open(folder)
}

async function openS3(t: TestContext): Promise<Blobs> {
  const { url: endpoint } = await S3Server.open(t)
  return new S3Blobs({
    endpoint,
    bucket: 'bucket',
    ...S3_KEYS,
    now: () => new RunningClock().now(),
  })
}

for (const [kind, openBlobs] of kinds) {
  describe(`a blob in ${kind}`, () => {
    test('that no file refers to is swept after an hour, and not while it may be uploaded', async (t) => {
      const { database, blobs, upload, sweepAfter } = await open(t, onSqlite, await openBlobs(t))
      await assert.rejects(upload(failing(database, 'before')), /no connection/)
      assert.equal((await blobs.list()).length, 1)
      await sweepAfter(HOUR_MS)
      assert.equal((await blobs.list()).length, 1)
      await sweepAfter(HOUR_MS + 1)
      assert.deepEqual(await blobs.list(), [])
    })
  })
}
