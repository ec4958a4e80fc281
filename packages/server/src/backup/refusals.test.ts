/** What a backup or a restore refuses, each with a sentence, and what it leaves behind then: nothing. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { runBackupCommand } from '../start/backup-command.ts'
import { openStorage } from '../start/storage.ts'
import { sql } from '../storage/sql.ts'
import { postgresServerUrl, TEST_NOW } from '../testing/engines.ts'
import { newDatabaseUrl } from '../testing/postgres-databases.ts'
import { takeBackup } from './backup.ts'
import { copySqlite } from './sqlite.ts'

const skip = postgresServerUrl === undefined && 'there is no PostgreSQL server'
const HOST = { PATH: process.env.PATH }

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const backUp = (folder: string, ...settings: string[]) =>
  runBackupCommand('backup', [folder, ...settings], HOST)
const restore = (folder: string, ...settings: string[]) =>
  runBackupCommand('restore', [folder, ...settings], HOST)

const ACCOUNT_COLUMNS = 'id code name class member_code member_class created_at'.split(' ')

/** A data folder with a database and the contents of two files. */
async function dataFolder(folder: string) {
  const data = join(folder, 'data')
  const options = { dataFolder: data, database: undefined, s3: undefined, mode: 'dev' } as const
  const storage = await openStorage(options, TEST_NOW)
  await storage.database.write(async (tx) => {
    await tx.insertMany('account', ACCOUNT_COLUMNS, [['1', 'a', 'A', 'x', 'a', 'x', 0]])
    await tx.run(
      sql`INSERT INTO iot_project (id, account_id, mgw_id, next_message) VALUES ('7', '1', '', 1)`,
    )
    for (const name of ['one', 'two']) {
      await tx.run(
        sql`INSERT INTO iot_file
              (project_id, name, account_id, mime_type, size, blob_key, created_at, updated_at)
            VALUES ('7', ${name}, '1', 'text/plain', 3, ${name}, 0, 0)`,
      )
    }
  })
  await storage.close()
  const contents = join(data, 'blobs', 'content')
  for (const name of ['one', 'two']) writeFileSync(join(contents, name), name)
  return { data, contents }
}

describe('a backup', () => {
  test('is taken again when a content was deleted after the database was copied', async (t) => {
    const folder = temporary(t)
    const { data, contents } = await dataFolder(folder)
    const deleteOne = async () => {
      const options = { dataFolder: data, database: undefined, s3: undefined, mode: 'dev' } as const
      const { database, close } = await openStorage(options, TEST_NOW)
      await database.write((tx) => tx.run(sql`DELETE FROM iot_file WHERE name = 'one'`))
      await close()
      rmSync(join(contents, 'one'))
    }
    let copies = 0
    const source = {
      engine: 'sqlite',
      async copyDatabase(to: string) {
        const copied = await copySqlite(join(data, 'kumoi.db'), to)
        copies += 1
        if (copies === 1) await deleteOne()
        return copied
      },
      contentFolder: contents,
      dataFolder: data,
      secrets: [],
    } as const
    const backup = join(folder, 'backup')
    assert.equal((await takeBackup(source, backup, TEST_NOW)).contents, 1)
    assert.equal(copies, 2)
    assert.deepEqual(readdirSync(join(backup, 'blobs')), ['two'])
    await restore(backup, '--data', join(folder, 'restored'))
    assert.deepEqual(readdirSync(join(folder, 'restored', 'blobs', 'content')), ['two'])
  })

  test('of a server that has lost a content says which, and leaves nothing', async (t) => {
    const folder = temporary(t)
    const { data, contents } = await dataFolder(folder)
    rmSync(join(contents, 'two'))
    const backup = join(folder, 'backup')
    await assert.rejects(
      backUp(backup, '--data', data),
      /contents of files that are not in .*: two\./,
    )
    assert.deepEqual(readdirSync(backup), [])
  })

  test('goes into an empty folder, and needs a database', async (t) => {
    const folder = temporary(t)
    const { data } = await dataFolder(folder)
    await assert.rejects(backUp(data, '--data', data), /data is not empty\.$/)
    const nothing = backUp(join(folder, 'backup'), '--data', join(folder, 'nowhere'))
    await assert.rejects(nothing, /There is nothing to back up: .*kumoi\.db is missing\.$/)
    await assert.rejects(backUp('--data', data), /The folder comes first, as in: kumoi backup/)
    await assert.rejects(backUp(join(folder, 'x'), '--memory'), /With --memory there is nothing/)
    writeFileSync(join(data, 'kumoi.db'), 'no database at all, but long enough'.repeat(100))
    const foreign = backUp(join(folder, 'backup'), '--data', data)
    await assert.rejects(foreign, /kumoi\.db cannot be copied: file is not a database\.$/)
  })

  test('leaves out a key file and a bucket, and says so', async (t) => {
    const folder = temporary(t)
    const { data } = await dataFolder(folder)
    writeFileSync(join(data, 'encryption.key'), 'the old one')
    const s3 = [
      '--s3-endpoint',
      'http://s3.example',
      '--s3-bucket',
      'files',
      '--s3-access-key',
      'a',
    ]
    const settings = ['--data', data, '--key-file', '/etc/kumoi.key', ...s3, '--s3-secret-key', 'b']
    const lines = await backUp(join(folder, 'backup'), ...settings)
    assert.deepEqual(lines.slice(1), [
      'It does not hold the key file /etc/kumoi.key: keep a copy.',
      'It does not hold the contents in the bucket files.',
    ])
    const restored = await restore(join(folder, 'backup'), '--data', join(folder, 'restored'))
    assert.match(restored[1] ?? '', /Start with --key-file/)
    assert.ok(!existsSync(join(folder, 'restored', 'encryption.key')))
  })
})

describe('a restore', () => {
  test('refuses what is damaged, foreign, newer or of the other engine, and writes nothing', async (t) => {
    const folder = temporary(t)
    const { data } = await dataFolder(folder)
    const backup = join(folder, 'backup')
    await backUp(backup, '--data', data)
    const changed = (change: (copy: string) => void): string => {
      const copy = mkdtempSync(join(folder, 'copy-'))
      cpSync(backup, copy, { recursive: true })
      change(copy)
      return copy
    }
    const edit = (from: RegExp, to: string) => (copy: string) => {
      const file = join(copy, 'backup.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    }
    const naming = (name: string) => (copy: string) => {
      const checksums = `${createHash('sha256').update('').digest('hex')}  ${name}\n`
      writeFileSync(join(copy, 'SHA256SUMS'), checksums)
      const checksum = createHash('sha256').update(checksums).digest('hex')
      edit(/"checksums": "\w+"/, `"checksums": "${checksum}"`)(copy)
    }
    writeFileSync(join(folder, 'outside'), '')
    for (const [broken, message] of [
      [changed(naming('../outside')), /not a backup.*names \.\.\/outside, which is not in it/],
      [changed(naming(join(folder, 'outside'))), /not a backup.*outside, which is not in it/],
      [changed((copy) => appendFileSync(join(copy, 'kumoi.db'), 'x')), /damaged: kumoi\.db is/],
      [changed((copy) => rmSync(join(copy, 'blobs', 'one'))), /damaged: blobs\/one is missing or/],
      [changed((copy) => writeFileSync(join(copy, 'SHA256SUMS'), '')), /damaged: SHA256SUMS is/],
      [changed((copy) => writeFileSync(join(copy, 'backup.json'), '{')), /damaged: backup\.json/],
      [changed((copy) => rmSync(join(copy, 'backup.json'))), /not a backup.*has no backup\.json/],
      [changed(edit(/"backup"/, '"other"')), /is not a backup of Kumoi/],
      [changed(edit(/"format": 1/, '"format": 2')), /has format 2; this Kumoi knows format 1\.$/],
      [changed(edit(/"schema": \d+/, '"schema": 9999')), /has schema 9999, made by a newer Kumoi/],
      [changed(edit(/"sqlite"/, '"postgres"')), /of a PostgreSQL database: restore it with --da/],
      [join(folder, 'nowhere'), /nowhere is not a backup of Kumoi/],
    ] as const) {
      await assert.rejects(restore(broken, '--data', join(folder, 'restored')), message)
      assert.ok(!existsSync(join(folder, 'restored')), String(message))
    }
    const onServer = restore(backup, '--data', join(folder, 'r'), '--database', 'postgres://x/y')
    await assert.rejects(onServer, /of the embedded store: restore it without --database\.$/)
  })

  test('refuses a data folder that is not empty', async (t) => {
    const folder = temporary(t)
    const { data } = await dataFolder(folder)
    const backup = join(folder, 'backup')
    await backUp(backup, '--data', data)
    await assert.rejects(restore(backup, '--data', data), /The data folder .* is not empty/)
    // What a file system puts into the top folder of a volume is no content.
    const volume = join(folder, 'volume')
    mkdirSync(join(volume, 'lost+found'), { recursive: true })
    assert.match((await restore(backup, '--data', volume))[0] ?? '', /^Restored into /)
  })
})

describe('on PostgreSQL', { skip }, () => {
  const newUrl = () => newDatabaseUrl(postgresServerUrl ?? '')
  const settings = (folder: string, database: string) => ['--data', folder, '--database', database]

  test('a database that is not empty, or holds nothing of ours, is refused', async (t) => {
    const folder = temporary(t)
    const database = await newUrl()
    const empty = backUp(join(folder, 'backup'), ...settings(join(folder, 'data'), database))
    await assert.rejects(empty, /nothing to back up in the database: it holds no tables of Kumoi/)
    const place = settings(join(folder, 'data'), database)
    await (await openStorage(storageOptions(place), TEST_NOW)).close()
    const backup = join(folder, 'backup')
    await backUp(backup, ...settings(join(folder, 'data'), database))
    const full = restore(backup, ...settings(join(folder, 'restored'), database))
    await assert.rejects(
      full,
      /The database is not empty \(it has \w+\): restore into a new one\.$/,
    )
    assert.ok(!existsSync(join(folder, 'restored')))

    const other = await newUrl()
    const connection = new pg.Client(other)
    await connection.connect()
    const { pathname } = new URL(other)
    await connection.query(
      `CREATE SCHEMA other; ALTER DATABASE ${pathname.slice(1)} SET search_path = other`,
    )
    await connection.end()
    const elsewhere = restore(backup, ...settings(join(folder, 'restored'), other))
    await assert.rejects(elsewhere, /of the schema public, and .* begins with other\.$/)
  })

  test('programs that are missing or too old are named', async (t) => {
    const folder = temporary(t)
    const args = [join(folder, 'backup'), ...settings(join(folder, 'data'), await newUrl())]
    await assert.rejects(
      runBackupCommand('backup', args, { PATH: folder }),
      /pg_dump cannot be run: install the client programs of PostgreSQL/,
    )
    fakeDump(folder, 'echo "pg_dump (PostgreSQL) 9.6.1"')
    await assert.rejects(
      runBackupCommand('backup', args, { PATH: folder }),
      /pg_dump is of PostgreSQL 9 and the database of \d+: install its client programs/,
    )
  })

  test('the password of the address is no argument of a program, which all users could see', async (t) => {
    const folder = temporary(t)
    const url = new URL(await newUrl())
    const place = settings(join(folder, 'data'), url.href)
    await (await openStorage(storageOptions(place), TEST_NOW)).close()
    url.password = 'p@ss word'
    const seen = join(folder, 'seen')
    fakeDump(
      folder,
      `[ "$1" = --version ] && echo "x) 99" || { echo "$PGPASSWORD $*" > ${seen}; echo no >&2; exit 1; }`,
    )
    const args = [join(folder, 'backup'), ...settings(join(folder, 'data'), url.href)]
    await assert.rejects(
      runBackupCommand('backup', args, { PATH: folder }),
      /^Error: pg_dump failed: no$/,
    )
    assert.match(
      readFileSync(seen, 'utf8'),
      /^p@ss word (?!.*p(@|%40)ss).*--dbname=postgres:\/\/kumoi@/,
    )
  })
})

function fakeDump(folder: string, script: string): void {
  writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'pg_dump'), 0o755)
}

function storageOptions(settings: readonly string[]) {
  const config = readConfig(settings, {})
  if (config === 'help') throw new Error('These are no settings.')
  return config
}
