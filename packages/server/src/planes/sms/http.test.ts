/** An HTTP gateway that is scripted, and its reports in every order. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { signatureProblem } from '../../services/iot/public.ts'
import { engines, TEST_NOW, type TestEngine } from '../../testing/engines.ts'
import { openSmsCloud, type Script, SMS_SECRET, startGateway } from '../../testing/sms-gateway.ts'

const accept: Script = (_call, nth) => ({ status: 202, text: `{"reference":"ref-${nth}"}` })

async function open(t: TestContext, engine: TestEngine, script: Script = accept) {
  const gateway = await startGateway(t, script)
  const cloud = await openSmsCloud(t, { engine, transport: 'http', url: gateway.url })
  return { ...cloud, ...gateway }
}

const at = TEST_NOW.toISOString()

for (const engine of engines) {
  describe(`the transport http on ${engine.name}`, () => {
    test('posts the message, signed, and a report by its reference makes it Delivered', async (t) => {
      const { send, pass, message, report, calls, clock } = await open(t, engine)
      const id = await send()
      await pass(0)
      const [call] = calls
      assert.ok(call)
      const { headers, body } = call
      assert.deepEqual(JSON.parse(body), {
        ...{ messageId: id, destination: '819012345678', sender: 'Acme' },
        ...{ text: 'Acmeの認証コードは A1B2C3 です。', encoding: 'UCS-2', segments: 1 },
      })
      const signed = {
        id: headers['webhook-id']?.toString(),
        timestamp: headers['webhook-timestamp']?.toString(),
        signature: headers['webhook-signature']?.toString(),
      }
      assert.equal(signed.id, id)
      assert.equal(signatureProblem(SMS_SECRET, signed, Buffer.from(body), clock.now()), undefined)
      const before = await message(id)
      assert.deepEqual(
        [before.status, before.transport, before.reference, before.uncertain, before.reports],
        ['Accepted', 'http', 'ref-1', false, []],
      )
      await pass(7)
      const done = { reference: 'ref-1', status: 'Delivered', at: '2026-03-31T15:00:05Z' }
      const answer = await report(done, { 'webhook-id': 'event-1' })
      assert.deepEqual([answer.status, answer.text], [204, ''])
      assert.equal(answer.headers['content-length'], undefined)
      const after = await message(id)
      assert.deepEqual([after.status, after.doneAt], ['Delivered', '2026-03-31T15:00:05.000000Z'])
      assert.deepEqual(after.reports, [
        {
          ...{ id: 'event-1', status: 'Delivered', at: '2026-03-31T15:00:05.000000Z' },
          receivedAt: '2026-03-31T15:00:07.000000Z',
        },
      ])
      await pass(3600)
      assert.equal(calls.length, 1)
    })

    test('takes a report twice, late, before the answer, and by the messageId', async (t) => {
      const early = { status: 'Delivered', at }
      const { send, pass, message, report } = await open(t, engine, async ({ body }, nth) => {
        if (JSON.parse(body).destination === '819012345671') {
          const answer = await report({ reference: `ref-${nth}`, ...early })
          assert.equal(answer.status, 204)
        }
        return { status: 200, text: `{"reference":"ref-${nth}"}` }
      })
      const first = await send({ destination: '819012345671' })
      await pass(0)
      assert.equal((await message(first)).status, 'Delivered')
      assert.equal((await message(first)).reports.length, 1)

      const second = await send()
      await pass(0)
      const failed = { messageId: second, status: 'Failed', at }
      for (const _ of [1, 2]) assert.equal((await report(failed)).status, 204)
      assert.equal((await message(second)).reports.length, 1)
      const other = { 'webhook-id': 'another' }
      assert.equal((await report({ ...failed, status: 'Delivered' }, other)).status, 204)
      const ended = await message(second)
      assert.deepEqual([ended.status, ended.reports.length], ['Failed', 2])

      const third = await send()
      await pass(601)
      assert.equal((await message(third)).status, 'Failed')
      assert.equal((await report({ ...early, messageId: third, at })).status, 204)
      const late = await message(third)
      assert.deepEqual([late.status, late.reports.length], ['Failed', 1])
    })

    test('answers 404 to a report on nothing, 401 to a wrong signature, 400 to nonsense', async (t) => {
      const { send, pass, message, report } = await open(t, engine)
      const id = await send()
      await pass(0)
      const good = { messageId: id, status: 'Delivered', at }
      assert.equal((await report({ ...good, messageId: 'nobody' })).status, 404)
      assert.equal((await report({ reference: 'nobody', status: 'Failed', at })).status, 404)
      for (const headers of [
        { 'webhook-signature': 'v1,AAAA' },
        { 'webhook-signature': '' },
        { 'webhook-timestamp': String(TEST_NOW.getTime() / 1000 - 301) },
      ]) {
        const answer = await report(good, headers)
        assert.deepEqual([answer.status, answer.body.error_code], [401, 'unauthorized'])
      }
      for (const body of [
        ...['', '[]', 'no json', '{"status":"Delivered"}'],
        { ...good, status: 'Accepted' },
        { ...good, at: 'yesterday' },
        { ...good, reference: 7 },
        { ...good, messageId: 'a\0b' },
        { status: 'Delivered', at },
      ]) {
        assert.equal((await report(body)).status, 400, JSON.stringify(body))
      }
      assert.equal((await report({ ...good, more: 'x'.repeat(16 * 1024) })).status, 413)
      assert.equal((await message(id)).status, 'Accepted')
    })

    test('keeps 20 reports of a message, and follows one that comes after them', async (t) => {
      const { send, pass, message, report } = await open(t, engine)
      const id = await send()
      await pass(601)
      for (let nth = 0; nth < 25; nth += 1) {
        const body = { messageId: id, status: 'Failed', at }
        assert.equal((await report(body, { 'webhook-id': `n-${nth}` })).status, 204)
      }
      assert.equal((await message(id)).reports.length, 20)
    })

    test('is tried again after Retry-After, or after 5 seconds and twice that', async (t) => {
      const { send, pass, message, calls } = await open(t, engine, (call, nth) => {
        if (nth === 1) return { status: 429, headers: { 'retry-after': '3' } }
        return nth < 4 ? { status: 503 } : accept(call, nth)
      })
      const id = await send()
      const counts: number[] = []
      for (const seconds of [0, 2, 1, 9, 1, 19, 1]) {
        await pass(seconds)
        counts.push(calls.length)
      }
      assert.deepEqual(counts, [1, 1, 2, 2, 3, 3, 4])
      const { retryCount, reference, status } = await message(id)
      assert.deepEqual([retryCount, reference, status], [3, 'ref-4', 'Accepted'])
    })

    test('fails a message that is refused', async (t) => {
      const { send, pass, message } = await open(t, engine, () => ({ status: 422 }))
      const id = await send()
      await pass(0)
      assert.equal((await message(id)).status, 'Failed')
    })

    test('sends nothing twice when an answer is lost or says nothing, and shows it', async (t) => {
      const answers = ['hang up', { status: 500 }, { status: 302 }, { status: 200 }] as const
      const { send, pass, message, report, calls } = await open(
        t,
        engine,
        (_call, nth) => answers[nth - 1] ?? 'hang up',
      )
      const ids: string[] = []
      for (const [index] of answers.entries()) {
        ids.push(await send({ destination: `81901234567${index}` }))
        await pass(0)
      }
      await pass(300)
      assert.equal(calls.length, answers.length)
      for (const id of ids) {
        const { uncertain, status, reference } = await message(id)
        assert.deepEqual([uncertain, status, reference], [true, 'Accepted', null])
      }
      const [first = '', second = ''] = ids
      await report({ messageId: first, reference: 'r', status: 'Delivered', at })
      const known = await message(first)
      assert.deepEqual([known.uncertain, known.status, known.reference], [false, 'Delivered', 'r'])
      await pass(301)
      const expired = await message(second)
      assert.deepEqual([expired.uncertain, expired.status], [true, 'Failed'])
    })

    test('tries again when nobody is there, and loses nothing', async (t) => {
      const gateway = await startGateway(t, accept)
      gateway.close()
      const lines: string[] = []
      const { send, pass, message } = await openSmsCloud(t, {
        ...{ engine, transport: 'http', url: gateway.url },
        logTo: (line) => lines.push(line),
      })
      const id = await send()
      await pass(20)
      const { retryCount, uncertain, status } = await message(id)
      assert.deepEqual([retryCount, uncertain, status], [3, false, 'Accepted'])
      const problems = lines.filter((line) => line.includes('takes no message'))
      assert.equal(problems.length, 1)
      assert.match(problems[0] ?? '', /ECONNREFUSED/)
      assert.ok(!lines.join('').includes(SMS_SECRET))
    })

    test('obeys the limits of a destination and of a day', async (t) => {
      const { send, ask, operator, pass } = await open(t, engine)
      const settings = { sms_per_destination: 2, sms_per_day: 3 }
      await operator('POST', '/world', { body: { version: 1, settings } })
      assert.ok((await send()) && (await send()))
      assert.equal(await send(), undefined)
      assert.ok(await send({ destination: '819012345679' }))
      assert.equal(await send({ destination: '819012345670' }), undefined)
      await pass(24 * 3600)
      assert.ok(await send())
      assert.equal((await ask('GET', '/commonserviceitem')).status, 200)
    })

    test('is checked without a message', async (t) => {
      const { operator, calls, close } = await open(t, engine, () => ({ status: 405 }))
      const check = async () => (await operator('GET', '/sms/transport')).body
      const { transport, state, address } = await check()
      assert.deepEqual([transport, state], ['http', 'ready'])
      assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/send$/)
      assert.deepEqual(
        calls.map(({ method }) => method),
        ['HEAD'],
      )
      close()
      const down = await check()
      assert.deepEqual([down.state, down.detail], ['unreachable', 'ECONNREFUSED'])
    })
  })
}
