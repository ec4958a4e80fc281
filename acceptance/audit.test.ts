/** `kumoi audit verify` against rows that somebody has changed in the database itself. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pg from 'pg'
import { engines } from './engines.ts'
import { CLOUD, KUMOI, start, temporaryFolder } from './server.ts'
import { waitFor } from './wait.ts'

/** With U+2028 and U+2029, which JSON does not escape. */
const SEPARATORS = 'a%E2%80%A8b%E2%80%A9c'

const ITEM = { CommonServiceItem: { Name: 'audited', Provider: { Class: 'esme' } } }

/** What the owner of the database can do, past the server. */
async function change(database: string | undefined, data: string, statement: string) {
  if (database === undefined) {
    const store = new DatabaseSync(join(data, 'kumoi.db'))
    store.exec(statement)
    return store.close()
  }
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement)
  await client.end()
}

for (const engine of engines) {
  test(`kumoi audit verify finds what was changed or deleted on ${engine.name}`, async (t) => {
    const data = temporaryFolder(t)
    const flags = await engine.flags()
    const [, database] = flags
    const server = await start(data, flags)
    t.after(() => server.stop())
    const env = {
      ...process.env,
      KUMOI_URL: `${server.origin}/cloud`,
      KUMOI_CA_FILE: join(data, 'tls', 'ca.pem'),
      KUMOI_OPERATOR_TOKEN: readFileSync(join(data, 'operator.token'), 'utf8').trim(),
    }
    const audit = (...args: string[]) =>
      new Promise<{ code: unknown; output: string }>((resolve) => {
        execFile(process.execPath, [KUMOI, 'audit', ...args], { env }, (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, output: `${stdout}${stderr}` }),
        )
      })

    for (let n = 0; n < 3; n += 1)
      await server.ask('POST', `${CLOUD}/commonserviceitem`, { body: ITEM })
    // Refused, and in the trail with what the caller sent as the id.
    await server.ask('DELETE', `${CLOUD}/commonserviceitem/${SEPARATORS}`)
    await waitFor('the chain', async () => /^4 entries/.test((await audit('verify')).output))
    const { code, output } = await audit('verify')
    const [, known = ''] = /The last one is (4:[0-9a-f]{64})\.$/m.exec(output) ?? []
    assert.equal(code, 0)

    const trail = join(data, 'trail.jsonl')
    const verifyFile = (...more: string[]) => audit('verify', '--file', trail, ...more)
    await audit('export', '--save-as', trail)
    assert.ok(readFileSync(trail, 'utf8').includes(decodeURIComponent(SEPARATORS)))
    assert.equal((await verifyFile('--known', known)).code, 0)
    const empty = await audit('verify', '--file', '/dev/null')
    assert.deepEqual([empty.code, empty.output], [1, 'kumoi: The file has no entry.\n'])
    const unused = await audit('verify', '--known', known)
    assert.equal(unused.code, 2)
    assert.match(unused.output, /--known needs --file/)

    await change(database, data, "UPDATE audit SET operation = 'x' WHERE chain_number = 3")
    const changed = await audit('verify')
    assert.equal(changed.code, 1)
    assert.match(changed.output, /Entry 3 was changed\. The 2 entries before it are as they were\./)
    await audit('export', '--save-as', trail)
    assert.match((await verifyFile()).output, /Entry 3 was changed\./)
    await change(database, data, 'DELETE FROM audit WHERE chain_number = 2')
    assert.match((await audit('verify')).output, /Entry 2 is missing\./)
  })
}
