import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Conflict } from '../../kernel/errors.ts'
import { sql } from '../../storage/sql.ts'
import { basic, openCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import type { ItemKind } from '../items/public.ts'

/** Stands for a kind of item of which there is one for each card. */
const cards: ItemKind = {
  class: 'card',
  provider: { id: 7, name: 'cards', serviceClass: 'cloud/card' },
  serviceClass: 'cloud/card/1',
  nameLength: { min: 1, max: 64 },
  answersRemoval: true,
  async prepare({ iccid = '' }, { tx }) {
    const taken = await tx.first(sql`SELECT id FROM item WHERE external_key = ${iccid}`)
    if (taken !== undefined) throw new Conflict('The card is taken.', '使用済みです。')
    return { externalKey: iccid, insert: async () => undefined }
  },
  remove: async () => undefined,
  statuses: async () => new Map(),
}

const card = (iccid: string) => ({
  CommonServiceItem: { Name: 'c', Provider: { Class: 'card' }, Status: { ICCID: iccid } },
})

const PATH = '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem'

/** Over a real socket, since a lost answer is a matter of connections. */
async function open(t: TestContext, options: Parameters<typeof openCloud>[1] = {}) {
  const cloud = await openCloud(t, { kinds: [cards], ...options })
  const port = await cloud.cloud.api.listenPlain(0)
  const arm = async (body: object) => {
    const answer = await cloud.operator('POST', '/faults', { body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.fault
  }
  const hits = async (id: string) => (await cloud.operator('GET', `/faults/${id}`)).body.fault.hits
  const call = (method: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}${PATH}`, {
      method,
      headers: { authorization: basic('acme-token'), connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { ...cloud, arm, hits, call }
}

for (const engine of engines) {
  describe(`faults on ${engine.name}`, () => {
    test('after, with a status: the inspector shows what was changed all the same', async (t) => {
      const { arm, ask, operator } = await open(t, { engine })
      const effect = { status: 503 }
      await arm({ operation: 'itemCreate', phase: 'after', times: 1, effect })
      assert.equal((await ask('POST', '/commonserviceitem', { body: card('1') })).status, 503)
      assert.equal((await ask('POST', '/commonserviceitem', { body: card('1') })).status, 409)
      const { requests } = (await operator('GET', '/requests')).body
      const changed = async (index: number) => {
        const { serial } = requests[index]
        return (await operator('GET', `/requests/${serial}`)).body.request.rows_changed
      }
      assert.deepEqual(await changed(0), {}, 'what was refused is rolled back')
      assert.equal((await changed(1)).item, 1)
    })

    test('after: the change is there, the answer is lost, and the retry meets 409', async (t) => {
      const { arm, hits, call, ask } = await open(t, { engine })
      const fault = await arm({
        operation: 'itemCreate',
        phase: 'after',
        times: 1,
        effect: { reset: true },
      })
      assert.equal(fault.hits, 0)
      const tries: (number | string)[] = []
      while (tries.length < 3 && tries.at(-1) !== 409) {
        tries.push(
          await call('POST', card('x1')).then(
            (answer) => answer.status,
            () => 'lost',
          ),
        )
      }
      assert.deepEqual(tries, ['lost', 409])
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 1)
      assert.equal(await hits(fault.id), 1)
    })

    test('before: nothing has changed', async (t) => {
      const { arm, call, ask } = await open(t, { engine })
      await arm({ operation: 'itemCreate', nth: 1, effect: { reset: true } })
      await assert.rejects(call('POST', card('x1')))
      assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 0)
      assert.equal((await call('POST', card('x1'))).status, 201)
    })
  })
}

describe('a fault', () => {
  test('answers with a status and the failure body of the interface', async (t) => {
    const { arm, ask, operator } = await open(t)
    for (const [status, code] of [
      [500, 'internal_server_error'],
      [503, 'service_unavailable'],
      [409, 'conflict'],
    ] as const) {
      const { id } = await arm({ operation: 'authStatus', effect: { status } })
      const answer = await ask('GET', '/auth-status')
      assert.deepEqual(
        [answer.status, answer.body.error_code, answer.body.is_fatal],
        [status, code, true],
      )
      await operator('DELETE', `/faults/${id}`)
    }
    await arm({ operation: 'authStatus', effect: { status: 429, retry_after_seconds: 7 } })
    const limited = await ask('GET', '/auth-status')
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '7'])
    assert.equal((await operator('DELETE', '/faults')).status, 200)
    assert.equal((await ask('GET', '/auth-status')).status, 200)
  })

  test('cuts the body after so many bytes, though the head promises all of it', async (t) => {
    const { arm, call } = await open(t)
    await arm({ operation: 'itemList', effect: { truncate_bytes: 5 } })
    const answer = await call('GET')
    assert.equal(answer.status, 200)
    assert.ok(Number(answer.headers.get('content-length')) > 5)
    const chunks: Buffer[] = []
    await assert.rejects(async () => {
      for await (const chunk of answer.body ?? []) chunks.push(Buffer.from(chunk))
    })
    assert.equal(Buffer.concat(chunks).toString(), '{"Fro')
  })

  test('delays, and goes on to what was armed after it', async (t) => {
    const { arm, ask, hits } = await open(t)
    const { id } = await arm({ operation: 'authStatus', times: 1, effect: { latency_ms: 50 } })
    const slow = ask('GET', '/auth-status').then(() => 'slow')
    const quick = ask('GET', '/auth-status').then(() => 'quick')
    assert.equal(await Promise.race([slow, quick]), 'quick')
    assert.equal(await slow, 'slow')
    assert.equal(await hits(id), 1)
    await arm({ operation: 'authStatus', effect: { latency_ms: 1 } })
    await arm({ operation: 'authStatus', effect: { status: 503 } })
    assert.equal((await ask('GET', '/auth-status')).status, 503)
  })

  test('answers 400 for an account that does not exist', async (t) => {
    const { operator } = await open(t)
    const body = { operation: 'authStatus', account: 'nobody', effect: { status: 503 } }
    const answer = await operator('POST', '/faults', { body })
    assert.deepEqual([answer.status, answer.body.error_code], [400, 'bad_request'])
    assert.match(answer.body.error_msg, /no account nobody/)
    assert.deepEqual((await operator('GET', '/faults')).body.faults, [])
  })

  test('strikes by account, number, times and window of the clock', async (t) => {
    const { arm, ask, clock, operator, hits } = await open(t)
    const statuses = async (count: number, token = 'acme-token') => {
      const seen: number[] = []
      for (let n = 0; n < count; n += 1)
        seen.push((await ask('GET', '/auth-status', { token })).status)
      return seen
    }
    const base = { operation: 'authStatus', effect: { status: 503 } }
    const { id } = await arm({ ...base, account: 'acme', nth: 2, times: 2 })
    assert.deepEqual(await statuses(1, 'other-token'), [200])
    assert.deepEqual(await statuses(5), [200, 503, 503, 200, 200])
    assert.equal(await hits(id), 2)
    await operator('DELETE', '/faults')
    const from = '2026-04-02T00:00:00+09:00'
    await arm({ ...base, from, until: '2026-04-03T00:00:00+09:00' })
    assert.deepEqual(await statuses(1), [200])
    await clock.advanceTo(new Date(from))
    assert.deepEqual(await statuses(1), [503])
    await clock.advanceTo(new Date('2026-04-03T00:00:00+09:00'))
    assert.deepEqual(await statuses(1), [200])
  })

  test('strikes with a probability that a seed repeats', async (t) => {
    const pattern = async () => {
      const { arm, ask } = await open(t)
      await arm({ operation: 'authStatus', probability: 0.5, effect: { status: 503 } })
      const seen: number[] = []
      for (let n = 0; n < 40; n += 1) seen.push((await ask('GET', '/auth-status')).status)
      return seen
    }
    const first = await pattern()
    assert.deepEqual(await pattern(), first)
    assert.deepEqual([...new Set(first)].sort(), [200, 503])
  })

  test('is refused where it makes no sense, and is not there then', async (t) => {
    const { operator } = await open(t)
    const effect = { status: 503 }
    for (const body of [
      { operation: 'simFly', effect },
      { operation: 'clockRead', effect },
      { operation: 'authStatus' },
      { operation: 'authStatus', effect: {} },
      { operation: 'authStatus', effect: { status: 200 } },
      { operation: 'authStatus', effect: { status: 503, reset: true } },
      { operation: 'authStatus', effect: { reset: false } },
      { operation: 'authStatus', effect: { latency_ms: 600_001 } },
      { operation: 'authStatus', effect, nth: 0 },
      { operation: 'authStatus', effect, times: 0 },
      { operation: 'authStatus', effect, probability: 1.1 },
      { operation: 'authStatus', effect, from: 'now' },
      { operation: 'authStatus', effect, chance: 1 },
      { operation: 'authStatus', effect: { truncate_bytes: 1 }, phase: 'before' },
    ]) {
      const answer = await operator('POST', '/faults', { body })
      assert.equal(answer.status, 400, JSON.stringify(body))
    }
    assert.deepEqual((await operator('GET', '/faults')).body.faults, [])
    assert.equal((await operator('GET', '/faults/1')).status, 404)
    assert.equal((await operator('DELETE', '/faults/1')).status, 404)
  })

  test('is locked in operate mode', async (t) => {
    const { operator } = await open(t, { config: { mode: 'operate' } })
    const body = { operation: 'authStatus', effect: { status: 503 } }
    assert.equal((await operator('POST', '/faults', { body })).status, 403)
  })
})
