import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from './client.ts'

const event = (id: number) =>
  `id: ${id}\nevent: request\ndata: {"serial":"s${id}","status":200}\n\n`

/** One answer after another: the pieces that arrive, then the end; or a status. */
function scripted(answers: readonly (readonly string[] | number | Error)[]) {
  const resumed: (string | null)[] = []
  let calls = 0
  const client = createClient({
    baseUrl: 'https://localhost/cloud',
    operatorToken: 'op',
    sleep: async (_milliseconds, signal) => signal?.throwIfAborted(),
    fetch: async (url, init) => {
      assert.equal(url, 'https://localhost/_kumoi/v1/events')
      resumed.push(new Headers(init.headers).get('last-event-id'))
      const answer = answers[calls]
      calls += 1
      if (answer instanceof Error) throw answer
      if (typeof answer === 'number') {
        return Response.json({ error_code: 'unauthorized' }, { status: answer })
      }
      return new Response(new Blob([...(answer ?? [])]).stream())
    },
  })
  return { client, resumed }
}

async function take(client: ReturnType<typeof createClient>, count: number) {
  const serials: string[] = []
  for await (const { data } of client.events()) {
    serials.push(data.serial)
    if (serials.length === count) break
  }
  return serials
}

describe('events', () => {
  test('come one by one, whatever the pieces they arrive in, comments left out', async () => {
    const text = `: requests follow\n\n${event(1)}${event(2)}`
    const { client } = scripted([[text.slice(0, 40), text.slice(40, 77), text.slice(77)]])
    assert.deepEqual(await take(client, 2), ['s1', 's2'])
  })

  test('go on after the last one when the connection breaks or the server is away', async () => {
    const { client, resumed } = scripted([[event(1)], new TypeError('fetch failed'), [event(2)]])
    assert.deepEqual(await take(client, 2), ['s1', 's2'])
    assert.deepEqual(resumed, [null, '1', '1'])
  })

  test('begin after the one that the caller names', async () => {
    const { client, resumed } = scripted([[event(8)]])
    for await (const { id } of client.events({ lastEventId: '7' })) {
      assert.equal(id, '8')
      break
    }
    assert.deepEqual(resumed, ['7'])
  })

  test('are an error where the server is not there, or refuses', async () => {
    await assert.rejects(take(scripted([new TypeError('fetch failed')]).client, 1), /fetch failed/)
    await assert.rejects(take(scripted([401]).client, 1), /refused with unauthorized \(401\)/)
  })

  test('end when the caller gives up', async () => {
    const controller = new AbortController()
    const { client } = scripted([[event(1)]])
    const sequence = client.events({ signal: controller.signal })
    await sequence.next()
    controller.abort(new Error('enough'))
    await assert.rejects(sequence.next(), /enough/)
  })
})

describe('changes', () => {
  const change = (id: number, more: object) =>
    `id: ${id}\nevent: change\ndata: ${JSON.stringify({ time: 't', rows_changed: { item: 1 }, ...more })}\n\n`

  test('are told of requests and of jobs, and what was asked is left out', async () => {
    const text = `${event(1)}${change(2, { serial: 's1' })}${event(3)}${change(4, { job: 'fleet' })}`
    const { client } = scripted([[text]])
    const seen: (string | undefined)[][] = []
    for await (const { id, type, data } of client.changes()) {
      assert.equal(type, 'change')
      assert.deepEqual(data.rows_changed, { item: 1 })
      seen.push([id, data.serial, data.job])
      if (seen.length === 2) break
    }
    assert.deepEqual(seen, [
      ['2', 's1', undefined],
      ['4', undefined, 'fleet'],
    ])
  })

  test('go on after the last event of any kind, and say each time that they are there', async () => {
    const first = `${change(1, { job: 'a' })}${event(2)}`
    const { client, resumed } = scripted([[first], [change(3, { job: 'b' })]])
    const jobs: (string | undefined)[] = []
    let opened = 0
    const onOpen = () => {
      opened += 1
    }
    for await (const { data } of client.changes({ lastEventId: '0', onOpen })) {
      jobs.push(data.job)
      if (jobs.length === 2) break
    }
    assert.deepEqual(jobs, ['a', 'b'])
    assert.deepEqual(resumed, ['0', '2'])
    assert.equal(opened, 2)
  })

  test('are an error where the server refuses', async () => {
    const { client } = scripted([403])
    await assert.rejects(client.changes().next(), /refused with unauthorized \(403\)/)
  })
})
