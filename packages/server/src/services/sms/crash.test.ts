/** The real server as a process of its own, killed while it sends, and started again on its data. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { raw } from '../../storage/sql.ts'
import { SqliteDatabase } from '../../storage/sqlite/database.ts'
import { type ServerProcess, serverFolder, startProcess } from '../../testing/server-process.ts'

/** One that nothing else contains, so that it is found wherever it should not be. */
const OTP = 'qZ7SecretOtp7Zqx'
const SENDERS = 20
const ANSWERS_BEFORE_KILL = 300
const KILLS = 3
const PATIENCE_MS = 60_000

async function createItem({ ask }: ServerProcess): Promise<string> {
  const body = { CommonServiceItem: { Provider: { Class: 'esme' } } }
  return (await ask('POST', '/commonserviceitem', body)).body.CommonServiceItem.ID
}

/** Sends until the server is gone; answers with the ids that were answered. */
async function sendUntilKilled(server: ServerProcess, id: string): Promise<string[]> {
  const answered: string[] = []
  const ESME = { destination: '819012345678', sender: 'Acme', otpOperation: 'input', otp: OTP }
  const sender = async () => {
    for (;;) {
      try {
        const path = `/commonserviceitem/${id}/esme/2fa`
        const { status, body } = await server.ask('PUT', path, { ESME })
        assert.equal(status, 200)
        answered.push(body.ESME.messageId)
        if (answered.length === ANSWERS_BEFORE_KILL) server.child.kill('SIGKILL')
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        return
      }
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  return answered
}

test('no answered send is lost by kill -9, and none is sent twice by the restart', async (t) => {
  const folder = serverFolder(t, { settings: { sms_delivery_seconds: 1 } })
  const killed: ServerProcess[] = []
  const answered: string[] = []
  let ID = ''
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await startProcess(t, folder)
    killed.push(server)
    if (kill === 0) ID = await createItem(server)
    answered.push(...(await sendUntilKilled(server, ID)))
  }
  assert.ok(answered.length >= KILLS * ANSWERS_BEFORE_KILL)

  const last = await startProcess(t, folder)
  const query = encodeURIComponent(JSON.stringify({ Count: 0 }))
  const readLogs = async (): Promise<{ messageId: string; status: string; otp: string }[]> =>
    (await last.ask('GET', `/commonserviceitem/${ID}/esme/logs?${query}`)).body.ESME.logs
  let logs = await readLogs()
  for (let waited = 0; waited < PATIENCE_MS; waited += 250) {
    if (logs.every(({ status }) => status !== 'Accepted')) break
    await sleep(250)
    logs = await readLogs()
  }
  const ids = logs.map(({ messageId }) => messageId)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    answered.filter((id) => !ids.includes(id)),
    [],
  )
  assert.deepEqual([...new Set(logs.map(({ status }) => status))], ['Delivered'])
  assert.deepEqual([...new Set(logs.map(({ otp }) => otp))], [OTP])

  const file = join(folder, 'data', 'kumoi.db')
  // What a killed process had claimed is done with when its claim has run out.
  for (let waited = 0; waited < PATIENCE_MS; waited += 250) {
    if ((await readRows(file, WAITING)).length === 0) break
    await sleep(250)
  }
  last.child.kill('SIGTERM')
  await once(last.child, 'exit')
  await checkTaken(file, ids)
  for (const { log } of [...killed, last]) assert.ok(!log().includes(OTP))
  for (const name of readdirSync(join(folder, 'data')).filter((file) => /\.db/.test(file))) {
    assert.ok(!readFileSync(join(folder, 'data', name)).includes(OTP), name)
  }
})

const WAITING = "SELECT id FROM outbox WHERE topic = 'sms'"
const TAKEN = 'SELECT reference FROM sms_network_message'

async function readRows(file: string, query: string): Promise<{ reference?: string }[]> {
  const database = new SqliteDatabase(file)
  const rows = await database.read((tx) => tx.all<{ reference?: string }>(raw(query)))
  await database.close()
  return rows
}

/** The network was handed each message of the log once, and nothing waits to be handed to it. */
async function checkTaken(file: string, ids: readonly string[]): Promise<void> {
  const taken = await readRows(file, TAKEN)
  assert.deepEqual(taken.map(({ reference }) => reference).sort(), [...ids].sort())
  assert.deepEqual(await readRows(file, WAITING), [])
}
