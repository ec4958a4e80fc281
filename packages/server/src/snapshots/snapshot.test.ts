import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { FileBlobs } from '../storage/blobs/file-system.ts'
import { MemoryBlobs } from '../storage/blobs/memory.ts'
import { migrate } from '../storage/migrate.ts'
import { raw } from '../storage/sql.ts'
import { SqliteDatabase } from '../storage/sqlite/database.ts'
import { engines, TEST_NOW, type TestEngine } from '../testing/engines.ts'
import { loadSnapshot, StoredSnapshot, takeSnapshot } from './snapshot.ts'
import { SnapshotBroken } from './snapshot-file.ts'

const HEAD = { kumoi_snapshot: 1, created_at: 'then', now: 'then', sealed: '' } as const
const ROWS = 100_000
const COLUMNS = ['nonce', 'nonce_count', 'expires_at']

const folderOf = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-snapshot-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Its long reads have a thread. */
const onFile = (t: TestContext): TestEngine => ({
  name: 'sqlite',
  async open() {
    const database = new SqliteDatabase(join(folderOf(t), 'kumoi.db'))
    await migrate(database, TEST_NOW)
    return database
  },
})

const kinds = [
  ...engines.map((engine) => ({ name: String(engine.name), of: () => engine })),
  { name: 'sqlite in a file', of: onFile },
]

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  t.after(() => database.close())
  const blobs = await FileBlobs.open(folderOf(t))
  const files = new MemoryBlobs()
  return {
    database,
    files,
    fill: (rows: number, from = 0) =>
      database.write((tx) =>
        tx.insertMany(
          'digest_use',
          COLUMNS,
          Array.from({ length: rows }, (_, n) => [`nonce ${n % 7}`, from + n, n]),
        ),
      ),
    take: () =>
      takeSnapshot(database, HEAD, { blobs: files, bytesMax: 100 }, { blobs, key: 'one' }),
    async stored() {
      const snapshot = await StoredSnapshot.open(blobs, 'one')
      assert.ok(snapshot)
      return snapshot
    },
    sum: () =>
      database.read((tx) =>
        tx.first(raw('SELECT count(*) AS rows, sum(nonce_count) AS counts FROM digest_use')),
      ),
  }
}

/** The longest time that nothing else could run, as a part of the whole. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  let last = start
  let longest = 0
  let isOver = false
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  tick()
  return longest / (performance.now() - start)
}

for (const { name, of } of kinds) {
  describe(`a snapshot on ${name}`, () => {
    test('lets others run while it is taken and loaded', async (t) => {
      const { fill, take, stored, database, sum } = await open(t, of(t))
      await fill(ROWS)
      const before = await sum()
      const taken = await longestBlock(take)
      await fill(1, ROWS)
      const loaded = await longestBlock(async () =>
        loadSnapshot(database, await stored(), async () => undefined),
      )
      assert.deepEqual(await sum(), before)
      t.diagnostic(`at most ${percent(taken)} while taken, ${percent(loaded)} while loaded`)
      assert.ok(taken < 1 / 3, percent(taken))
      assert.ok(loaded < 1 / 3, percent(loaded))
    })

    test('brings back each row of several pages once, and the contents of files', async (t) => {
      const { fill, take, stored, database, files, sum } = await open(t, of(t))
      await fill(2500)
      const before = await sum()
      const content = Buffer.from('ab\n"c" あ 0123456789')
      await files.write('iot-a', Readable.from([content.subarray(0, 4), content.subarray(4)]))
      await take()
      const snapshot = await stored()
      const table = snapshot.index.tables.find((one) => one.name === 'digest_use')
      assert.equal(table?.rows, 2500)
      await loadSnapshot(database, snapshot, async () => undefined)
      assert.deepEqual(await sum(), before)
      const others = new MemoryBlobs()
      await others.write('iot-b', Readable.from(['later']))
      await snapshot.writeFiles(others)
      await snapshot.deleteOtherFiles(others)
      assert.deepEqual(await others.list(), [{ key: 'iot-a', bytes: content.length }])
      assert.deepEqual(await Readable.from((await others.read('iot-a')) ?? []).toArray(), [content])
    })
  })
}

const percent = (part: number) => `${Math.round(part * 100)} %`

describe('a stored snapshot', () => {
  test('is broken without its end, with a line too many or with a line that is none', async () => {
    const blobs = new MemoryBlobs()
    const head = JSON.stringify({ ...HEAD, migrations: [1] })
    const opened = async (...lines: string[]) => {
      await blobs.write('one', Readable.from([lines.join('\n')]))
      return StoredSnapshot.open(blobs, 'one')
    }
    const table = '{"table":"a","columns":["b"]}'
    const whole = await opened(head, table, '["あ"]', '{"lines":4}', '')
    assert.deepEqual(whole?.index.tables[0]?.rows, 1)
    for (const lines of [
      [],
      [head, table, '["あ"]'],
      [head, table, '["あ"]', '{"lines":5}'],
      [head, table, '["あ"]', '{"lines":4}', '["x"]'],
      [head, table, '["あ", 1]', '{"lines":4}'],
      [head, table, '[', '{"lines":4}'],
    ]) {
      await assert.rejects(opened(...lines), SnapshotBroken, lines.join())
    }
    assert.equal(await StoredSnapshot.open(blobs, 'none'), undefined)
  })
})
