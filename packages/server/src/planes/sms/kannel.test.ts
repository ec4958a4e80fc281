/** A Kannel that is scripted; a real one is in acceptance/sms-kannel.test.ts. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines, onSqlite, type TestEngine } from '../../testing/engines.ts'
import { openSmsCloud, type Script, SMS_PASSWORD, startGateway } from '../../testing/sms-gateway.ts'

const accept: Script = () => ({ status: 202, text: '0: Accepted for delivery' })

async function open(t: TestContext, engine: TestEngine, script: Script = accept) {
  const gateway = await startGateway(t, script)
  const lines: string[] = []
  const cloud = await openSmsCloud(t, {
    ...{ engine, transport: 'kannel', url: gateway.url, logTo: (line) => lines.push(line) },
    args: ['--public-url', 'https://cloud.example.jp'],
  })
  /** Calls the address of the nth submit as Kannel does. */
  const report = (type: number, nth = 1, id = 'smsc-1') => {
    const url = gateway.calls[nth - 1]?.url.searchParams.get('dlr-url') ?? ''
    const filled = url.replace('%d', String(type)).replace('%F', encodeURIComponent(id))
    return cloud.inject('GET', filled.replace('https://cloud.example.jp', ''))
  }
  return { ...cloud, ...gateway, report, lines }
}

for (const engine of engines) {
  describe(`the transport kannel on ${engine.name}`, () => {
    test('submits by sendsms, and each report is kept; the first end counts', async (t) => {
      const { send, pass, message, report, calls, lines } = await open(t, engine)
      const id = await send({ domain_name: 'example.jp' })
      await pass(0)
      const given = Object.fromEntries(calls[0]?.url.searchParams ?? [])
      const { 'dlr-url': dlr, ...others } = given
      assert.deepEqual(others, {
        ...{ username: 'kumoi', password: SMS_PASSWORD, to: '819012345678' },
        text: 'Acmeの認証コードは A1B2C3 です。\n@example.jp #A1B2C3',
        ...{ charset: 'UTF-8', coding: '2', validity: '10', 'dlr-mask': '31' },
      })
      assert.match(
        dlr ?? '',
        /^https:\/\/cloud\.example\.jp\/sms\/v1\/kannel\/[0-9a-f]{32}\.[\w-]{43}\?report=%d-%F$/,
      )
      await pass(3)
      for (const type of [8, 4, 4, 1, 2]) assert.equal((await report(type)).status, 200)
      const { status, doneAt, transport, reference, reports } = await message(id)
      assert.deepEqual(
        [status, doneAt, transport, reference],
        ['Delivered', '2026-03-31T15:00:03.000000Z', 'kannel', id],
      )
      assert.deepEqual(
        reports.map((one: { id: string; status: string }) => [one.id, one.status]),
        [
          ['8-smsc-1', 'Submitted'],
          ['4-smsc-1', 'Buffered'],
          ['1-smsc-1', 'Delivered'],
          ['2-smsc-1', 'Failed'],
        ],
      )
      const log = lines.join('')
      assert.ok(!log.includes(SMS_PASSWORD) && !log.includes('A1B2C3') && !log.includes(id))
    })

    test('fails a message that Kannel reports as failed or rejected', async (t) => {
      const { send, pass, message, report } = await open(t, engine)
      for (const [index, type] of [2, 16].entries()) {
        const id = await send()
        await pass(0)
        assert.equal((await report(type, index + 1)).status, 200)
        assert.equal((await message(id)).status, 'Failed', `${type}`)
      }
    })

    test('takes a report before the answer to the submit', async (t) => {
      const { send, pass, message, report } = await open(t, engine, async (call, nth) => {
        assert.equal((await report(1)).status, 200)
        return accept(call, nth)
      })
      const id = await send()
      await pass(0)
      const { status, reference } = await message(id)
      assert.deepEqual([status, reference], ['Delivered', id])
    })

    test('answers 401 to an address that is not signed, 404 when the message is gone', async (t) => {
      const { send, pass, message, report, calls, inject, operator } = await open(t, engine)
      const [id, other] = [await send(), await send()]
      await pass(0)
      const path = new URL(calls[0]?.url.searchParams.get('dlr-url') ?? '').pathname
      const [, signature = ''] = path.split('.')
      for (const wrong of [
        path.replace(id, other),
        path.slice(0, -1),
        `${path.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
        '/sms/v1/kannel/x',
      ]) {
        assert.equal((await inject('GET', `${wrong}?report=1-x`)).status, 401, wrong)
      }
      const long = `?report=1-${'x'.repeat(254)}`
      for (const query of ['', long, '?report=3-x', '?report=1', '?report=17-', '?report=']) {
        assert.equal((await inject('GET', `${path}${query}`)).status, 400, query)
      }
      assert.equal((await message(id)).status, 'Accepted')
      assert.equal((await report(1, 1, '')).status, 200)
      await operator('POST', '/reset', { body: { to: 'world' } })
      assert.equal((await report(1)).status, 404)
    })

    test('waits while Kannel is throttled or away, and does not repeat what may be sent', async (t) => {
      const { send, pass, message, calls } = await open(t, engine, (call, nth) => {
        if (nth === 1) return { status: 503, text: 'Temporal failure, try again later.' }
        return nth === 2 ? accept(call, nth) : 'hang up'
      })
      const throttled = await send()
      await pass(4)
      assert.equal(calls.length, 1)
      await pass(1)
      assert.equal((await message(throttled)).reference, throttled)
      const lost = await send()
      await pass(60)
      const { uncertain, status } = await message(lost)
      assert.deepEqual([uncertain, status, calls.length], [true, 'Accepted', 3])
    })

    test('refuses where Kannel does', async (t) => {
      const { send, pass, message } = await open(t, engine, () => ({ status: 403 }))
      const id = await send()
      await pass(0)
      assert.equal((await message(id)).status, 'Failed')
    })
  })
}

describe('the check of Kannel', () => {
  const check = async (t: TestContext, script: Script) => {
    const { operator, calls } = await open(t, onSqlite, script)
    const { state, detail } = (await operator('GET', '/sms/transport')).body
    assert.equal(calls[0]?.url.searchParams.has('to'), false)
    return [state, detail]
  }

  test('tells a wrong password from a right one, and from something else', async (t) => {
    const missing = { status: 400, text: 'Missing receiver number, rejected' }
    assert.deepEqual(await check(t, () => missing), ['ready', ''])
    assert.deepEqual(await check(t, () => ({ status: 403 })), [
      ...['unauthorized', 'user or password is wrong'],
    ])
    assert.deepEqual(await check(t, () => ({ status: 200 })), ['unexpected', 'it answers 200'])
    assert.deepEqual(await check(t, () => 'hang up'), ['unreachable', 'ECONNRESET'])
  })
})
