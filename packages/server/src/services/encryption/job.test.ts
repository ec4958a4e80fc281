import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { silentLog } from '../../kernel/log.ts'
import { keyIdOf, SecretBox } from '../../kernel/secret-box.ts'
import { raw, sql } from '../../storage/sql.ts'
import { engines, TEST_NOW, type TestEngine } from '../../testing/engines.ts'
import { encryptionJob } from './job.ts'
import { RotationStore } from './rotation-store.ts'
import { checkEncryptionKey } from './start-check.ts'

const old = { id: '', bytes: Buffer.alloc(32, 1) }
const added = { id: 'new', bytes: Buffer.alloc(32, 2) }
const both = new SecretBox([added, old])

const owner = (name: string) => `network_element ${name}`
const column = { table: 'network_element', column: 'secret', key: ['name'], owner }

/** More than two batches. */
const ROWS = 450

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  t.after(() => database.close())
  const box = new SecretBox([old])
  await database.write(async (tx) => {
    const names = Array.from({ length: ROWS }, (_, index) => `element ${1000 + index}`)
    const rows = names.map((name) => [
      name,
      name,
      box.seal(`secret of ${name}`, owner(name)),
      '{}',
      0,
    ])
    await tx.insertMany(
      'network_element',
      ['name', 'address', 'secret', 'carriers', 'coa_port'],
      rows,
    )
    await new RotationStore(tx).request('new', TEST_NOW)
  })
  const sealed = () =>
    database.read((tx) =>
      tx.all<{ name: string; secret: string }>(raw('SELECT name, secret FROM network_element')),
    )
  const rotation = () => database.read((tx) => new RotationStore(tx).find('new'))
  return { database, sealed, rotation }
}

for (const engine of engines) {
  describe(`the rotation job on ${engine.name}`, () => {
    test('is not done any more when a server has begun to seal under another key', async (t) => {
      const { database, rotation } = await open(t, engine)
      await encryptionJob(both, [column], silentLog).run(database, TEST_NOW)
      await checkEncryptionKey(database, both)
      assert.ok((await rotation())?.finishedAt)
      await checkEncryptionKey(database, new SecretBox([old, added]))
      assert.equal(await rotation(), undefined)
    })

    test('goes on after it was cut off, and opens everything under the new key', async (t) => {
      const { database, sealed, rotation } = await open(t, engine)
      const job = encryptionJob(both, [column], silentLog)
      assert.deepEqual(await job.nextDue?.(database, TEST_NOW), TEST_NOW)
      const stopping = new AbortController()
      const stopsAfterOneBatch = {
        ...{ engine: database.engine, exclusive: database.exclusive, close: database.close },
        read: database.read.bind(database),
        write: ((work) => {
          stopping.abort()
          return database.write(work)
        }) as typeof database.write,
      }
      assert.match(
        await job.run(stopsAfterOneBatch, TEST_NOW, stopping.signal),
        /^200 sealed again so far/,
      )
      assert.equal((await rotation())?.finishedAt, undefined)
      assert.equal((await rotation())?.resealed, 200)
      assert.equal(await job.run(database, TEST_NOW), '250 sealed again, 0 could not be opened.')
      assert.deepEqual(await rotation(), {
        ...{ keyId: 'new', requestedAt: TEST_NOW, finishedAt: TEST_NOW, resealed: ROWS, failed: 0 },
      })
      assert.equal(await job.nextDue?.(database, TEST_NOW), undefined)
      const alone = new SecretBox([added])
      for (const { name, secret } of await sealed()) {
        assert.equal(alone.open(secret, owner(name)), `secret of ${name}`)
      }
    })

    test('counts what it cannot open and leaves it as it is', async (t) => {
      const { database, sealed, rotation } = await open(t, engine)
      const lost = new SecretBox([{ id: 'lost', bytes: Buffer.alloc(32, 3) }]).seal('x', 'y')
      await database.write((tx) =>
        tx.run(sql`UPDATE network_element SET secret = ${lost} WHERE name = 'element 1003'`),
      )
      const said = await encryptionJob(both, [column], silentLog).run(database, TEST_NOW)
      assert.equal(said, `${ROWS - 1} sealed again, 1 could not be opened.`)
      assert.equal((await rotation())?.failed, 1)
      const ids = (await sealed()).map(({ secret }) => keyIdOf(secret))
      assert.deepEqual([...new Set(ids)].sort(), ['lost', 'new'])
    })

    test('is left alone by a server that does not have the key', async (t) => {
      const { database } = await open(t, engine)
      const other = encryptionJob(new SecretBox([old]), [column], silentLog)
      assert.equal(await other.nextDue?.(database, TEST_NOW), undefined)
      assert.equal(await other.run(database, TEST_NOW), 'No rotation is open.')
    })
  })
}
