import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from './client.ts'
import { sleepFor } from './retry.ts'
import type { ClientOptions } from './wire.ts'

const failure =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error_code: 'service_unavailable', error_msg: 'Later.' }, { status, headers })
const success = () => Response.json({ is_ok: true })

/** Answers in turn with what it is given, and writes down how long it was waited. */
function scripted(answers: readonly (() => Response)[], options: Partial<ClientOptions> = {}) {
  const waits: number[] = []
  let calls = 0
  const client = createClient({
    baseUrl: 'https://localhost/cloud',
    random: () => 0.5,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
    },
    fetch: async () => {
      calls += 1
      return (answers[calls - 1] ?? success)()
    },
    ...options,
  })
  return { client, waits, calls: () => calls }
}

describe('a call that is refused for now', () => {
  test('is tried again after waits that double, each shortened at random', async () => {
    const { client, waits } = scripted([failure(503), failure(503), failure(503)])
    assert.equal((await client.authStatus()).ok, true)
    assert.deepEqual(waits, [375, 750, 1500])
  })

  test('is tried again when the server says that it may be, and not sooner', async () => {
    const { client, waits } = scripted([failure(429, { 'retry-after': '2' })])
    assert.equal((await client.authStatus()).ok, true)
    assert.deepEqual(waits, [2250])
  })

  test('reads a date by the clock of the server', async () => {
    const headers = {
      'retry-after': 'Wed, 01 Apr 2026 00:00:03 GMT',
      date: 'Wed, 01 Apr 2026 00:00:00 GMT',
    }
    const { client, waits } = scripted([failure(503, headers)])
    await client.authStatus()
    assert.deepEqual(waits, [3250])
  })

  test('is not tried for ever, and ends with the last refusal', async () => {
    const { client, calls } = scripted(Array(9).fill(failure(503)))
    const result = await client.authStatus()
    assert.ok(!result.ok)
    assert.deepEqual([result.refusal.status, result.refusal.message], [503, 'Later.'])
    assert.equal(calls(), 4)
  })

  test('is not waited for longer than the client is willing to', async () => {
    const { client, waits } = scripted([failure(429, { 'retry-after': '3600' })])
    const result = await client.authStatus()
    assert.ok(!result.ok)
    assert.equal(result.refusal.retryAfterSeconds, 3600)
    assert.deepEqual(waits, [])
  })

  test('is tried once when the caller wants it so', async () => {
    const { client, calls } = scripted([failure(503)], { retry: { tries: 1 } })
    assert.equal((await client.authStatus()).ok, false)
    assert.equal(calls(), 1)
  })

  test('is given up while it waits, when the caller gives up', async () => {
    const controller = new AbortController()
    const { client, calls } = scripted([failure(503)], {
      sleep: (milliseconds, signal) => {
        queueMicrotask(() => controller.abort(new Error('enough')))
        return sleepFor(milliseconds, signal)
      },
    })
    await assert.rejects(client.authStatus({}, { signal: controller.signal }), /enough/)
    assert.equal(calls(), 1)
  })
})

test('no other refusal is tried again', async () => {
  for (const status of [400, 401, 403, 404, 409, 500]) {
    const { client, calls } = scripted([failure(status)])
    assert.equal((await client.authStatus()).ok, false)
    assert.equal(calls(), 1, String(status))
  }
})

test('sleepFor ends at once when it was over before it began', async () => {
  await assert.rejects(sleepFor(60_000, AbortSignal.abort(new Error('over'))), /over/)
  await sleepFor(0, new AbortController().signal)
})
