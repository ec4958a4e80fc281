import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parseIpv4 } from '../../kernel/ipv4.ts'
import type { Packet } from '../../services/element-requests/public.ts'
import { radclientMissing } from '../../testing/radclient.ts'
import { NAS_SECRET, type NasAnswer, openNas } from '../../testing/scripted-nas.ts'
import { BITS_PER_SECOND_MAX } from './packet-text.ts'
import { Radclient } from './radclient.ts'

const skip = radclientMissing()

const keys = (acctSessionId: string) => ({
  acctSessionId,
  imsi: '440100000000001',
  ip: parseIpv4('10.64.0.2') ?? 0,
})
const disconnect = (acctSessionId = 'a1'): Packet => ({
  ...{ kind: 'disconnect', bitsPerSecond: undefined },
  ...keys(acctSessionId),
})

async function open(t: TestContext, answer: (nth: number) => NasAnswer) {
  const nas = await openNas((_request, nth) => answer(nth))
  t.after(() => nas.close())
  const target = { host: '127.0.0.1', port: nas.port, secret: NAS_SECRET }
  return { nas, target, client: new Radclient() }
}

describe('radclient', { skip }, () => {
  test('sends a Disconnect that names the session, and brings the ACK', async (t) => {
    const { nas, target, client } = await open(t, () => 'ack')
    const result = await client.send(target, [disconnect()])
    assert.deepEqual(result, { outcome: 'sent', answers: [{ answer: 'ack' }] })
    assert.deepEqual(nas.requests, [
      {
        ...{ type: 'Disconnect', isVerified: true, acctSessionId: 'a1' },
        ...{
          imsi: '440100000000001',
          ip: '10.64.0.2',
          nasIdentifier: undefined,
          upBits: undefined,
          downBits: undefined,
        },
      },
    ])
  })

  test('sends a CoA with the rate, at most what an element can read; without one for no limit', async (t) => {
    const { nas, target, client } = await open(t, () => 'ack')
    const rates = [64_000, 10 ** 12, undefined]
    const packets = rates.map((bitsPerSecond) => ({
      ...{ kind: 'coa' as const, bitsPerSecond },
      ...keys('a1'),
    }))
    const result = await client.send(target, packets)
    assert.deepEqual(result.outcome === 'sent' && result.answers.length, 3)
    const most = BITS_PER_SECOND_MAX
    // A packet whose answer is late is sent again, so on a busy machine one may come twice.
    const seen = nas.requests.map(({ type, upBits, downBits }) => `${type} ${upBits} ${downBits}`)
    assert.deepEqual([...new Set(seen)], ['CoA 64000 64000', `CoA ${most} ${most}`])
    assert.ok(nas.requests.length >= rates.length)
  })

  test('names the element where a relay takes the packets', async (t) => {
    const { nas, target, client } = await open(t, () => 'ack')
    await client.send({ ...target, relayTo: 'pgw-1' }, [disconnect()])
    assert.equal(nas.requests[0]?.nasIdentifier, 'pgw-1')
  })

  test('brings each of many packets its own answer', async (t) => {
    const script: NasAnswer[] = ['ack', 503, 'none', 'nak', 'ack']
    const { nas, target, client } = await open(t, (nth) => script[(nth - 1) % 5] ?? 'none')
    const packets = Array.from({ length: 50 }, (_, index) => disconnect(`s${index}`))
    const result = await client.send(target, packets)
    assert.ok(result.outcome === 'sent')
    const byId = new Map(nas.requests.slice(0, 50).map((one, nth) => [one.acctSessionId, nth]))
    for (const [index, answer] of result.answers.entries()) {
      const scripted = script[(byId.get(`s${index}`) ?? 0) % 5]
      // Of what was not answered, the second try may be.
      if (scripted === 'ack') assert.deepEqual(answer, { answer: 'ack' })
      if (scripted === 'nak') assert.deepEqual(answer, { answer: 'nak', errorCause: undefined })
      if (scripted === 503) {
        assert.deepEqual(answer, { answer: 'nak', errorCause: 'Session-Context-Not-Found' })
      }
    }
  })

  test('says that nobody answers, or that the secret is another', async (t) => {
    const { target, client } = await open(t, () => 'forged')
    const forged = await client.send(target, [disconnect()])
    const reason = 'the answer was not made with the secret that we know'
    assert.deepEqual(forged, { outcome: 'sent', answers: [{ answer: 'none', reason }] })
    const unknown = await client.send({ ...target, secret: 'another' }, [disconnect()])
    const silence = { answer: 'none', reason: 'no answer in time' }
    assert.deepEqual(unknown, { outcome: 'sent', answers: [silence] })
  })

  test('sends what an element chose as its session id, and nothing more', async (t) => {
    const { nas, target, client } = await open(t, () => 'ack')
    const ids = [
      '%{User-Name}',
      '"\nUser-Name = "x"\n\nPacket-Type = 1',
      `é'\\"#$\t`,
      '',
      '\u0001'.repeat(253),
    ]
    const result = await client.send(
      target,
      ids.map((id) => disconnect(id)),
    )
    assert.deepEqual(
      result.outcome === 'sent' && result.answers,
      ids.map(() => ({ answer: 'ack' })),
    )
    // An empty attribute is none, and one that cannot be printed is left out.
    assert.deepEqual(
      nas.requests.map(({ acctSessionId }) => acctSessionId),
      [...ids.slice(0, 3), undefined, undefined],
    )
  })

  test('shows the secret neither among its arguments, nor in its environment, nor in a file', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-test-'))
    const known = process.env.TMPDIR
    process.env.TMPDIR = folder
    t.after(() => {
      if (known === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = known
      rmSync(folder, { recursive: true })
    })
    const seen: string[] = []
    const { target, client } = await open(t, () => {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
          if (!command.startsWith('radclient')) continue
          seen.push(command + readFileSync(`/proc/${pid}/environ`, 'utf8'))
        } catch {
          // It has ended meanwhile.
        }
      }
      assert.deepEqual(readdirSync(folder), [])
      return 'ack'
    })
    await client.send(target, [disconnect()])
    assert.ok(seen.some((text) => text.includes(`127.0.0.1:${target.port}`)))
    assert.ok(!seen.some((text) => text.includes(NAS_SECRET)))
    assert.deepEqual(readdirSync(folder), [])
  })

  test('tells its version', async () => {
    const { ok, detail } = await new Radclient().check()
    assert.equal(ok, true)
    assert.match(detail, /^radclient/)
  })
})

describe('radclient that is missing', () => {
  test('is said, and nothing counts as sent', async () => {
    const client = new Radclient('no-radclient-here')
    const reason = 'no-radclient-here is not installed'
    const target = { host: '127.0.0.1', port: 3799, secret: NAS_SECRET }
    assert.deepEqual(await client.send(target, [disconnect()]), { outcome: 'unavailable', reason })
    assert.deepEqual(await client.check(), { ok: false, detail: reason })
  })
})
