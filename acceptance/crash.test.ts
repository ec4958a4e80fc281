/** What was answered is there after a stop; after a kill, see prove/crash. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { start, temporaryFolder } from './server.ts'

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
