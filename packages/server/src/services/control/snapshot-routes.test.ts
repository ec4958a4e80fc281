import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { openCloud, search, type TestCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { draft, iccidOf } from '../../testing/sims.ts'

const esme = (name: string) => ({
  body: { CommonServiceItem: { Name: name, Provider: { Class: 'esme' } } },
})

async function names({ ask }: TestCloud): Promise<string[]> {
  const query = search({ Filter: { 'Provider.Class': 'esme' } })
  const { body } = await ask('GET', `/commonserviceitem${query}`)
  return body.CommonServiceItems.map(({ Name }: { Name: string }) => Name)
}

const save = ({ operator }: TestCloud, name: string) =>
  operator('POST', '/snapshots', { body: { name } })

const LOCKS: Readonly<Record<string, string>> = { red: '111111111111111', blue: '222222222222222' }
const CARDS = {
  version: 1,
  sim_cards: [{ iccid_from: iccidOf(0), count: 10, passcode: 'pass{n}' }],
}

for (const engine of engines) {
  describe(`snapshots on ${engine.name}`, () => {
    test('bring back rows, ids, keys and the time of a virtual clock', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { ask, operator } = cloud
      await ask('POST', '/commonserviceitem', esme('kept'))
      const saved = await save(cloud, 'base-1')
      assert.equal(saved.status, 201)
      const { snapshot } = saved.body
      assert.deepEqual(
        [snapshot.name, snapshot.created_at],
        ['base-1', '2026-03-31T15:00:00.000000Z'],
      )
      await operator('POST', '/clock/advance', { body: { by: '1d' } })
      const lost = await ask('POST', '/commonserviceitem', esme('lost'))
      await operator('POST', '/accounts/acme/keys/acme-token/rotate')
      assert.equal((await operator('POST', '/snapshots/base-1/load')).status, 200)
      assert.deepEqual(await names(cloud), ['kept'])
      assert.equal((await operator('GET', '/clock')).body.now, '2026-03-31T15:00:00.000000Z')
      const again = await ask('POST', '/commonserviceitem', esme('again'))
      assert.equal(again.body.CommonServiceItem.ID, lost.body.CommonServiceItem.ID)
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await ask('GET', '/auth-status')).status, 401)
      assert.equal((await operator('POST', '/reset', { body: { to: 'base-1' } })).status, 200)
      assert.deepEqual(await names(cloud), ['kept'])
    })

    test('a credential that only the other world knew is forgotten at once', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { ask, operator } = cloud
      await save(cloud, 'before')
      const made = await operator('POST', '/accounts/acme/keys', { body: { permission: 'view' } })
      const { key, secret } = made.body
      const credentials = { token: key.token, secret }
      assert.equal((await ask('GET', '/auth-status', credentials)).status, 200)
      await operator('POST', '/snapshots/before/load')
      assert.equal((await ask('GET', '/auth-status', credentials)).status, 401)
    })

    test('are listed, replaced, exported, imported and deleted', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { ask, operator } = cloud
      await save(cloud, 'b')
      await save(cloud, 'a')
      await ask('POST', '/commonserviceitem', esme('one'))
      const { snapshot } = (await save(cloud, 'b')).body
      const file = await operator('GET', '/snapshots/b/file')
      assert.match(String(file.headers['content-type']), /^application\/x-ndjson/)
      assert.equal(Buffer.byteLength(file.text), snapshot.bytes)
      assert.ok(!file.text.includes('acme-token-secret'))
      const listed = (await operator('GET', '/snapshots')).body.snapshots
      assert.deepEqual(
        listed.map(({ name }: { name: string }) => name),
        ['a', 'b'],
      )
      assert.deepEqual(listed[1], snapshot)
      const other = await openCloud(t, { engine })
      const imported = await other.operator('POST', '/snapshots/c/file', { body: file.text })
      assert.deepEqual([imported.status, imported.body.snapshot], [201, { ...snapshot, name: 'c' }])
      await other.operator('POST', '/snapshots/c/load')
      assert.deepEqual(await names(other), ['one'])
      assert.equal((await operator('DELETE', '/snapshots/a')).status, 200)
      assert.equal((await operator('DELETE', '/snapshots/a')).status, 404)
      assert.equal((await operator('GET', '/snapshots')).body.snapshots.length, 1)
    })

    test('have every table there is', async (t) => {
      const cloud = await openCloud(t, { engine })
      await save(cloud, 'all')
      const { text } = await cloud.operator('GET', '/snapshots/all/file')
      const inFile = text
        .split('\n')
        .flatMap((line) => /^\{"table":"(\w+)"/.exec(line)?.[1] ?? [])
        .sort()
      const inEngine = await cloud.database.read((tx) =>
        tx.all<{ name: string }>(
          raw(
            engine.name === 'sqlite'
              ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
              : 'SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()',
          ),
        ),
      )
      // Only what says what the database is, not what is in it. Sequences have lines of their own.
      const apart = [
        ...[
          'acme_account',
          'acme_certificate',
          'acme_challenge',
          'clock',
          'edge',
          'edge_feed',
          'encryption_check',
          'replacement',
        ],
        ...['schema_migration', 'sequence'],
      ]
      // An index of texts is made anew from what it indexes.
      const own = (name: string) => !apart.includes(name) && !name.startsWith('item_text')
      const expected = inEngine.map(({ name }) => name).filter(own)
      assert.deepEqual(inFile, expected.sort())
      const sequences = text.match(/^\{"sequence":"\w+"/gm) ?? []
      assert.deepEqual(sequences.map((line) => line.split('"')[3]).sort(), [
        // SQLite numbers the rows of the audit trail by itself.
        ...(engine.name === 'sqlite' ? [] : ['audit']),
        ...['bill', 'outbox', 'resource', 'session'],
      ])
    })

    test('are loaded in one piece while requests run', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { ask, operator } = cloud
      const world = async (word: string) => {
        await operator('POST', '/reset', { body: { to: 'empty-base' } })
        for (const n of [1, 2, 3, 4]) await ask('POST', '/commonserviceitem', esme(`${word}${n}`))
        // The name is in one table, the lock in another.
        const made = await ask('POST', '/commonserviceitem', { body: draft(1, { Name: word }) })
        const path = `/commonserviceitem/${made.body.CommonServiceItem.ID}/sim/imeilock`
        await ask('PUT', path, { body: { sim: { imei: LOCKS[word] } } })
        await save(cloud, word)
      }
      await operator('POST', '/world', { body: CARDS })
      await save(cloud, 'empty-base')
      await world('red')
      await world('blue')
      let done = false
      const looks: string[] = []
      const look = async () => {
        while (!done) looks.push((await names(cloud)).join())
      }
      const writes = async () => {
        while (!done) {
          const { status } = await ask('PUT', '/commonserviceitem', esme('stray'))
          assert.ok(status === 201, String(status))
        }
      }
      const mixed: unknown[] = []
      const compare = async () => {
        while (!done) {
          const query = search({
            Filter: { 'Provider.Class': 'sim' },
            Include: ['*', 'Status.sim'],
          })
          const [sim] = (await ask('GET', `/commonserviceitem${query}`)).body.CommonServiceItems
          if (LOCKS[sim?.Name] !== sim?.Status.sim.imei) mixed.push(sim)
        }
      }
      const running = [look(), look(), compare(), writes()]
      for (let round = 0; round < 10; round += 1) {
        const name = round % 2 === 0 ? 'red' : 'blue'
        assert.equal((await operator('POST', `/snapshots/${name}/load`)).status, 200)
      }
      done = true
      await Promise.all(running)
      assert.deepEqual(mixed, [])
      const worlds = looks.map((list) => list.replaceAll(/,?stray/g, ''))
      assert.deepEqual(
        [...new Set(worlds)].filter((list) => !/^((red|blue)1,\2\d,\2\d,\2\d)$/.test(list)),
        [],
      )
      assert.equal((await operator('POST', '/snapshots/red/load')).status, 200)
      assert.deepEqual(await names(cloud), ['red1', 'red2', 'red3', 'red4'])
    })

    test('of an older schema are migrated; of a newer one or another key refused', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { operator } = cloud
      await save(cloud, 'now')
      const { text } = await operator('GET', '/snapshots/now/file')
      const older = withoutMigrations(
        text,
        [20, 21, 81, 106, 109, 130, 140, 151, 161],
        [...['site', 'certificate', 'call_rate', 'edge']],
      )
      const old = await operator('POST', '/snapshots/old/file', { body: older })
      assert.equal(old.status, 201, old.text)
      assert.equal((await operator('POST', '/snapshots/old/load')).status, 200)
      assert.equal((await cloud.ask('GET', '/auth-status')).status, 200)
      await save(cloud, 'after')
      const after = (await operator('GET', '/snapshots/after/file')).text
      // The calls in between are in the audit trail.
      const others = /^\{"(?:table|sequence)":"(?!audit").*/gm
      assert.deepEqual(after.match(others), text.match(others))

      const newer = text.replace('"migrations":[', '"migrations":[9999,')
      const refused = await operator('POST', '/snapshots/new/file', { body: newer })
      assert.deepEqual([refused.status, refused.body.error_code], [409, 'conflict'])
      assert.match(refused.body.error_msg, /migration 9999 of a newer Kumoi/)
      const foreign = text.replace(/"sealed":"[^"]*"/, '"sealed":"AAAA"')
      const sealed = await operator('POST', '/snapshots/new/file', { body: foreign })
      assert.match(sealed.body.error_msg, /another key-encryption key/)
    })
  })
}

/** The file as it was before those migrations, whose tables begin with these words. */
function withoutMigrations(text: string, versions: number[], tables: string[]): string {
  const [head = '{}', ...rest] = text.trimEnd().split('\n')
  let skip = false
  const kept = rest.slice(0, -1).filter((line) => {
    const name = /^\{"(?:table|sequence)":"(\w+)"/.exec(line)?.[1]
    if (name !== undefined) skip = tables.some((word) => name.startsWith(word))
    return !skip
  })
  const old = JSON.parse(head)
  old.migrations = old.migrations.filter((version: number) => !versions.includes(version))
  return [JSON.stringify(old), ...kept, JSON.stringify({ lines: kept.length + 2 }), ''].join('\n')
}

describe('a snapshot', () => {
  test('has a name of 1 to 64 lower-case letters, digits and dashes', async (t) => {
    const cloud = await openCloud(t)
    for (const name of ['a', '-', 'x'.repeat(64)]) {
      assert.equal((await save(cloud, name)).status, 201, name)
    }
    for (const name of ['', 'A', 'a/b', '..', 'x'.repeat(65), 'empty', 'world']) {
      assert.equal((await save(cloud, name)).status, 400, name)
    }
    const body = 'x'
    assert.equal((await cloud.operator('POST', '/snapshots/A/file', { body })).status, 404)
  })

  test('that is not whole is refused, and so is one that is not there', async (t) => {
    const cloud = await openCloud(t)
    const { operator } = cloud
    await save(cloud, 'a')
    const { text } = await operator('GET', '/snapshots/a/file')
    const lines = text.split('\n')
    for (const [body, message] of [
      ['', /Line 1 is not valid JSON/],
      ['{}', /Line 1 is not the head/],
      [lines.slice(0, -3).join('\n'), /The end is missing/],
      [text.replace('{"table":"account"', '{"table":"a\\"b"'), /Line 2 is no row/],
      [text.replace('{"table":"account"', '{oops'), /Line 2 is not valid JSON/],
    ] as const) {
      const answer = await operator('POST', '/snapshots/b/file', { body })
      assert.equal(answer.status, 400)
      assert.match(answer.body.error_msg, message)
    }
    assert.equal((await operator('POST', '/snapshots/b/load')).status, 404)
    assert.equal((await operator('GET', '/snapshots/b/file')).status, 404)
  })

  test('leaves a real clock alone', async (t) => {
    const cloud = await openCloud(t)
    await save(cloud, 'a')
    await cloud.operator('PUT', '/clock', { body: { mode: 'real' } })
    await cloud.operator('POST', '/snapshots/a/load')
    assert.equal((await cloud.operator('GET', '/clock')).body.mode, 'real')
    assert.ok(cloud.clock.now() > new Date('2026-04-02T00:00:00Z'))
  })
})

test('snapshots and resets are locked in operate mode', async (t) => {
  const { operator } = await openCloud(t, { config: { mode: 'operate' } })
  for (const [path, body] of [
    ['/snapshots', { name: 'a' }],
    ['/snapshots/a/load', undefined],
    ['/reset', { to: 'empty' }],
  ] as const) {
    const answer = await operator('POST', path, { body })
    assert.deepEqual([answer.status, answer.body.error_code], [403, 'forbidden'], path)
  }
})
