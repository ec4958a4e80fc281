/** A backup of a server that is written to meanwhile, restored and compared, on both engines. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { postgresServerUrl } from '../testing/engines.ts'
import { newDatabaseUrl } from '../testing/postgres-databases.ts'
import {
  createProject,
  type ServerProcess,
  serverFolder,
  startProcess,
} from '../testing/server-process.ts'
import { type DatabasePlace as Place, queryPlace, rowsOf } from '../testing/table-rows.ts'

const packed = process.env.TEST_PACKAGE
/** The sources, unless the test command has packed them. */
const KUMOI =
  packed === undefined
    ? fileURLToPath(new URL('../../../cli/src/kumoi.mjs', import.meta.url))
    : join(packed, 'dist/kumoi.cjs')
const CLIENTS = 3

const flagsOf = ({ data, database }: Place) => [
  ...['--data', data],
  ...(database === undefined ? [] : ['--database', database]),
]

async function kumoi(command: string, folder: string, place: Place): Promise<string> {
  const args = [KUMOI, command, folder, ...flagsOf(place)]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

async function upload(server: ServerProcess, project: string, name: string, content: string) {
  const files = `/commonserviceitem/${project}/iotplatform/vmgw/files`
  await server.ask('PUT', `${files}/${name}/stat`)
  const asked = await server.ask('PUT', `${files}/${name}/upload_request`)
  const { url, token } = asked.body.IoTPlatform
  const form = new FormData()
  form.append('attachment', new Blob([content]), name)
  const headers = { authorization: `Bearer ${token}` }
  const sent = await fetch(url, { method: 'PUT', headers, body: form })
  assert.equal(sent.status, 202, await sent.text())
}

/** Clients that each create one item after the other, and one that uploads; what was answered is counted. */
function load(server: ServerProcess, project: string) {
  const answered = new Array<number>(CLIENTS + 1).fill(0)
  let isOver = false
  const create = async (client: number) => {
    const Name = `${client}-${answered[client]}`
    const body = { CommonServiceItem: { Name, Provider: { Class: 'esme' } } }
    assert.equal((await server.ask('POST', '/commonserviceitem', body)).status, 201)
  }
  // A file of two is replaced, so that contents change while they are copied.
  const send = (count: number) =>
    upload(server, project, `f${Math.floor(count / 2)}`, `content ${count}`.repeat(1000))
  const clients = answered.map(async (_, client) => {
    while (!isOver) {
      await (client === CLIENTS ? send(answered[client] ?? 0) : create(client))
      answered[client] = (answered[client] ?? 0) + 1
    }
  })
  return {
    answered,
    async end() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

const ENGINES: readonly ['sqlite' | 'postgres', string | false][] = [
  ['sqlite', false],
  ['postgres', postgresServerUrl === undefined && 'there is no PostgreSQL server'],
]

for (const [engine, missing] of ENGINES) {
  const hasPrograms = engine === 'sqlite' || spawnSync('pg_dump', ['--version']).status === 0
  const skip = hasPrograms ? missing : 'there is no pg_dump in the path'

  const place = async (folder: string, name: string): Promise<Place> => ({
    data: join(folder, name),
    database: engine === 'sqlite' ? undefined : await newDatabaseUrl(postgresServerUrl ?? ''),
  })

  describe(`a backup of ${engine}`, { skip }, () => {
    test('taken under load is one state of all tables and contents, which a server starts with', async (t) => {
      const folder = serverFolder(t)
      const source = await place(folder, 'data')
      const server = await startProcess(t, folder, flagsOf(source))
      const project = await createProject(server)
      const { answered, end } = load(server, project)
      while (answered.some((count) => count < 3)) await server.ask('GET', '/auth-status')
      const before = [...answered]
      const backup = join(folder, 'backup')
      await kumoi('backup', backup, source)
      const after = answered.map((count) => count + 1)
      await end()
      assert.ok(answered.every((count, client) => count > (before[client] ?? 0)))

      const target = await place(folder, 'restored')
      await kumoi('restore', backup, target)
      await checkOneState(target, before, after)
      await checkServed(t, folder, target, project)
    })

    test('of a server at rest is the same, row by row and byte by byte', async (t) => {
      const folder = serverFolder(t)
      const source = await place(folder, 'data')
      const server = await startProcess(t, folder, flagsOf(source))
      const project = await createProject(server)
      for (const name of ['a', 'b', 'a']) await upload(server, project, name, `${name}\0\u00ff`)
      const stopped = new Promise((resolve) => server.child.once('exit', resolve))
      server.child.kill('SIGTERM')
      assert.equal(await stopped, 0)

      const backup = join(folder, 'it is a backup')
      const printed = await kumoi('backup', backup, source)
      assert.match(printed, /schema \d+, contents of 2 files\.\n.*encryption\.key/)
      for (const file of filesOf(backup)) assert.equal(statSync(file).mode & 0o777, 0o600, file)
      const target = await place(folder, 'restored')
      await kumoi('restore', backup, target)

      const rows = await rowsOf(source)
      assert.ok(rows.size > 40)
      assert.ok((rows.get('iot_file') ?? []).length === 2)
      const restored = await rowsOf(target)
      assert.deepEqual([...restored.keys()].sort(), [...rows.keys()].sort())
      for (const [table, own] of rows) assert.deepEqual(restored.get(table), own, table)
      const contents = (data: string) => join(data, 'blobs', 'content')
      const keys = (await blobKeys(source)).sort()
      assert.deepEqual(readdirSync(contents(target.data)).sort(), keys)
      for (const key of keys) {
        const [copy, original] = [target, source].map(({ data }) =>
          readFileSync(join(contents(data), key)),
        )
        assert.deepEqual(copy, original)
      }
      for (const name of ['encryption.key', 'operator.token', 'tls/ca.pem', 'tls/ca.key']) {
        if (!existsSync(join(source.data, name))) continue
        assert.deepEqual(
          readFileSync(join(target.data, name)),
          readFileSync(join(source.data, name)),
        )
      }
    })
  })
}

async function blobKeys(place: Place): Promise<string[]> {
  const rows = await queryPlace(place, 'SELECT blob_key FROM iot_file')
  return rows.map(({ blob_key }) => String(blob_key))
}

/** Of each client the first so many writes and no other: at least those that were answered before. */
async function checkOneState(target: Place, before: number[], after: number[]): Promise<void> {
  const items = await queryPlace(target, "SELECT name FROM item WHERE class = 'esme'")
  for (let client = 0; client < CLIENTS; client += 1) {
    const own = items
      .map(({ name }) => String(name).split('-').map(Number))
      .filter(([owner]) => owner === client)
      .map(([, number]) => number ?? 0)
      .sort((a, b) => a - b)
    assert.deepEqual(own, [...own.keys()])
    assert.ok(own.length >= (before[client] ?? 0), `${own.length} of ${before[client]}`)
    assert.ok(own.length <= (after[client] ?? 0), `${own.length} of ${after[client]}`)
  }
  const counted = await queryPlace(
    target,
    "SELECT sum(items) AS n FROM item_count WHERE class = 'esme'",
  )
  assert.equal(Number(counted[0]?.n), items.length)
  const files = await queryPlace(target, 'SELECT name, size, blob_key FROM iot_file')
  assert.ok(files.length > 0)
  for (const { size, blob_key } of files) {
    if (blob_key === null) continue
    const content = readFileSync(join(target.data, 'blobs', 'content', String(blob_key)), 'utf8')
    assert.equal(content.length, Number(size))
    assert.match(content, /^(content \d+)\1{999}$/)
  }
}

async function checkServed(t: TestContext, folder: string, place: Place, project: string) {
  const server = await startProcess(t, folder, flagsOf(place))
  const path = `/commonserviceitem/${project}/iotplatform/vmgw/files/f0/download`
  const { body: download } = await server.ask('GET', path)
  const content = await (await fetch(download.IoTPlatform.url)).text()
  assert.match(content, /^content [01]content/)
  const body = { CommonServiceItem: { Name: 'next', Provider: { Class: 'esme' } } }
  assert.equal((await server.ask('POST', '/commonserviceitem', body)).status, 201)
  const stopped = new Promise((resolve) => server.child.once('exit', resolve))
  server.child.kill('SIGTERM')
  await stopped
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
