/** What was answered is there, and nothing half, however the process ended. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLOUD, type ServerProcess, start, temporaryFolder } from './server.ts'

/** `npm test` takes a sample. */
const ROUNDS = process.env.TEST_SIZE === 'full' ? 20 : 8
const WRITERS = 16
/** Each write makes an account with so many keys, in one transaction. */
const KEYS = 3

/** Writes as fast as it can until the connection breaks; keeps what was answered. */
async function writeUntilBroken(
  server: ServerProcess,
  operator: string,
  name: string,
  answered: string[],
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const code = `${name}-${count}`
    const keys = Array.from({ length: KEYS }, (_, index) => ({
      token: `${code}-${index}`,
      secret: code,
      permission: 'view',
    }))
    const body = { version: 1, accounts: [{ code, name: 'x'.repeat(200), keys }] }
    const answer = await server.operator('POST', '/world', operator, body).catch(() => undefined)
    if (answer === undefined) return
    assert.equal(answer.status, 200)
    answered.push(code)
  }
}

describe('kill -9 under write load', () => {
  test(`loses no answered write and keeps no partial one, ${ROUNDS} times`, async (t) => {
    const data = temporaryFolder(t)
    const answered: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await start(data)
      const operator = readFileSync(join(data, 'operator.token'), 'utf8').trim()
      const writers = Array.from({ length: WRITERS }, (_, index) =>
        writeUntilBroken(server, operator, `r${round}-w${index}`, answered),
      )
      // The first answer of a process takes longest; from then on the writes come thick.
      const before = answered.length
      while (answered.length <= before + WRITERS) await sleep(5)
      await sleep(50 + round * 10)
      await server.stop('SIGKILL')
      await Promise.all(writers)
    }
    assert.ok(answered.length > ROUNDS * WRITERS, `only ${answered.length} writes were answered`)
    const server = await start(data)
    t.after(() => server.stop())
    const operator = readFileSync(join(data, 'operator.token'), 'utf8').trim()
    const { accounts } = (await server.operator('GET', '/world', operator)).body
    const keysOf = new Map<string, number>(
      accounts.map((account: { code: string; keys: unknown[] }) => [
        account.code,
        account.keys.length,
      ]),
    )
    for (const code of answered) assert.equal(keysOf.get(code), KEYS, `${code} was answered`)
    for (const code of ['demo', 'demo-partner']) keysOf.delete(code)
    for (const [code, keys] of keysOf) assert.equal(keys, KEYS, `${code} is there in part`)
    const [last] = answered.slice(-1)
    const status = await server.ask('GET', `${CLOUD}/auth-status`, { key: `${last}-0:${last}` })
    assert.equal(status.status, 200)
    t.diagnostic(`${answered.length} answered writes, ${keysOf.size} accounts`)
  })
})

describe('SIGTERM', () => {
  test('lets requests under way finish, loses nothing, and exits 0 within 10 seconds', async (t) => {
    const data = temporaryFolder(t)
    const server = await start(data)
    const operator = readFileSync(join(data, 'operator.token'), 'utf8').trim()
    const requests = Array.from({ length: 50 }, (_, index) =>
      server.operator('POST', '/accounts', operator, { code: `a${index}`, name: 'A' }),
    )
    await requests[0]
    const ended = server.stop()
    const answered = (await Promise.allSettled(requests)).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    )
    assert.equal((await ended).code, 0)
    for (const { status } of answered) assert.equal(status, 201)
    const again = await start(data)
    t.after(() => again.stop())
    const { accounts } = (await again.operator('GET', '/accounts', operator)).body
    const codes = new Set(accounts.map(({ code }: { code: string }) => code))
    for (const { body } of answered) assert.ok(codes.has(body.account.code))
  })
})
