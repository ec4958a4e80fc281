import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LARGE_ROWS } from '../../snapshots/restore.ts'
import { raw } from '../../storage/sql.ts'
import { openCloud, search, type TestCloud } from '../../testing/cloud.ts'
import { engines, sharedPostgres } from '../../testing/engines.ts'

const ACCOUNT = '900000000001'
const COLUMNS =
  'id account_id class name description tags icon_id external_key availability created_at modified_at'

/** So many items that the load takes the way of large tables; `word` is in each of their names. */
async function fill({ database }: TestCloud, word: string, count = LARGE_ROWS): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => [
    ...[String(970_000_000_000 + n), ACCOUNT, 'esme', `${word} ${n}`, null, '', null, null],
    ...['available', 0, 0],
  ])
  await database.write((tx) => tx.insertMany('item', COLUMNS.split(' '), rows))
}

const load = ({ operator }: TestCloud, name: string) =>
  operator('POST', `/snapshots/${name}/load`, {})

const save = ({ operator }: TestCloud, name: string) =>
  operator('POST', '/snapshots', { body: { name } })

/** Everything that the engine knows of the schema, as text. */
async function schemaOf({ database }: TestCloud): Promise<string[]> {
  const rows = await database.read((tx) =>
    tx.all<{ text: string }>(
      raw(
        tx.engine === 'sqlite'
          ? "SELECT type || ' ' || name || ' ' || sql AS text FROM sqlite_schema WHERE sql IS NOT NULL"
          : `SELECT indexdef AS text FROM pg_indexes WHERE schemaname = current_schema()
             UNION ALL
             SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
             FROM pg_constraint WHERE connamespace = current_schema()::regnamespace`,
      ),
    ),
  )
  return rows.map(({ text }) => text).sort()
}

/** How many items of each word a list shows, and whether all of them are in the answer. */
async function wordsIn({ ask }: TestCloud): Promise<string> {
  const { status, body } = await ask('GET', `/commonserviceitem${search({ Include: ['Name'] })}`)
  assert.equal(status, 200)
  const names: string[] = body.CommonServiceItems.map(({ Name }: { Name: string }) => Name)
  const words = names.map((name) => name.split(' ')[0] ?? '')
  return [...new Set(words)].map((w) => `${words.filter((v) => v === w).length} ${w}`).join(', ')
}

const kinds = engines.map((engine) => ({ name: String(engine.name), open: async () => engine }))
if (sharedPostgres !== undefined) {
  const openShared = sharedPostgres
  kinds.push({ name: 'postgres as a plain role', open: () => openShared('plain_owner') })
}

for (const kind of kinds) {
  test(`a large world is loaded with all its indexes and keys on ${kind.name}`, async (t) => {
    const cloud = await openCloud(t, { engine: await kind.open() })
    await fill(cloud, 'large')
    const before = await schemaOf(cloud)
    assert.equal((await save(cloud, 'large')).status, 201)
    await cloud.operator('POST', '/reset', { body: { to: 'empty' } })
    for (const _round of [1, 2]) {
      assert.equal((await load(cloud, 'large')).status, 200)
      assert.equal(await wordsIn(cloud), `${LARGE_ROWS} large`)
      assert.deepEqual(await schemaOf(cloud), before)
    }
  })
}

for (const engine of engines) {
  test(`a snapshot whose rows break a rule changes nothing on ${engine.name}`, async (t) => {
    const cloud = await openCloud(t, { engine })
    await fill(cloud, 'large')
    await save(cloud, 'large')
    const { text } = await cloud.operator('GET', '/snapshots/large/file')
    const orphaned = text.replace(`["970000000005","${ACCOUNT}"`, '["970000000005","999999999999"')
    await cloud.operator('POST', '/snapshots/orphan/file', { body: orphaned })
    const before = await schemaOf(cloud)
    assert.equal((await load(cloud, 'orphan')).status, 500)
    assert.equal(await wordsIn(cloud), `${LARGE_ROWS} large`)
    assert.deepEqual(await schemaOf(cloud), before)
  })
}

if (sharedPostgres !== undefined) {
  const openShared = sharedPostgres
  test('two processes see one world or the other, and none of their calls fails', async (t) => {
    const engine = await openShared()
    const [one, two] = [await openCloud(t, { engine }), await openCloud(t, { engine })]
    await save(one, 'none')
    for (const word of ['red', 'blue']) {
      await load(one, 'none')
      await fill(one, word)
      await save(one, word)
    }
    let done = false
    const seen = new Set<string>()
    const look = async (cloud: TestCloud) => {
      while (!done) seen.add((await wordsIn(cloud)).replace(/(^\d+ stray, |, \d+ stray$)/, ''))
    }
    const create = async ({ ask }: TestCloud) => {
      const body = { CommonServiceItem: { Name: 'stray', Provider: { Class: 'esme' } } }
      while (!done) assert.equal((await ask('POST', '/commonserviceitem', { body })).status, 201)
    }
    const running = [one, two].flatMap((cloud) => [look(cloud), create(cloud)])
    for (const name of ['red', 'blue', 'red']) {
      assert.equal((await load(one, name)).status, 200)
    }
    done = true
    await Promise.all(running)
    assert.deepEqual([...seen].sort(), [`${LARGE_ROWS} blue`, `${LARGE_ROWS} red`])
  })
}
