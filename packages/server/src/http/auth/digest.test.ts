import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { engines, sharedPostgres } from '../../testing/engines.ts'
import { openWeb, type TestWeb, WEBACCEL } from '../../testing/webaccel.ts'
import { parseDigest } from './digest.ts'
import { WRONG_BY_NAME_MAX } from './throttle.ts'

const hash = (algorithm: string, text: string) =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex')

async function challengeOf(
  { web }: TestWeb,
  algorithm: string,
): Promise<ReadonlyMap<string, string>> {
  const { headers } = await web('GET', '/site', { token: null })
  const challenges = headers['www-authenticate'] as string[]
  return parseDigest(challenges.find((text) => text.includes(`algorithm=${algorithm},`)) ?? '')
}

interface Credentials {
  algorithm?: string
  secret?: string
  nonce?: string
  nc?: string
  uri?: string
  user?: string
  qop?: string
}

/** What a client answers to a challenge (RFC 7616, 3.4.1). */
function answerTo(
  nonce: string,
  {
    algorithm = 'SHA-256',
    secret = 'acme-token-secret',
    nc = '00000001',
    uri = `${WEBACCEL}/site`,
    user = 'acme-token',
    qop = 'auth',
  }: Credentials = {},
) {
  const a1 = hash(algorithm, `${user}:Kumoi:${secret}`)
  const response = hash(
    algorithm,
    `${a1}:${nonce}:${nc}:cn:${qop}:${hash(algorithm, `GET:${uri}`)}`,
  )
  return `Digest username="${user}", realm="Kumoi", nonce="${nonce}", uri="${uri}", algorithm=${algorithm}, qop=${qop}, nc=${nc}, cnonce="cn", response="${response}"`
}

describe('parseDigest', () => {
  test('reads pairs with and without quotes, in any case and spacing', () => {
    const fields = parseDigest('digest  Realm = "a \\"b\\", c" ,nc=00000001,, qop=auth')
    assert.deepEqual(
      [...fields],
      [
        ['realm', 'a "b", c'],
        ['nc', '00000001'],
        ['qop', 'auth'],
      ],
    )
  })

  test('reads nothing of a header that has a key twice or anything that is no pair', () => {
    for (const header of ['Digest a=1, A=2', 'Digest a=1 b=2', 'Digest a="1', 'Digest x, a=1']) {
      assert.equal(parseDigest(header).size, 0, header)
    }
  })

  test('takes a time that grows with the length of the header', () => {
    // Far longer than Node lets in: the square of it would be minutes.
    for (const long of ['a', ' ', 'a=', '"', 'a ', 'a="\\', ',']) {
      const begin = performance.now()
      parseDigest(`Digest ${long.repeat(300_000)}`)
      parseDigest(`Digest a="${long.repeat(300_000)}`)
      assert.ok(performance.now() - begin < 5000, long)
    }
  })
})

for (const engine of engines) {
  describe(`Digest on ${engine.name}`, () => {
    const open = async (t: Parameters<typeof openWeb>[0]) => {
      const cloud = await openWeb(t, { engine })
      const get = (authorization: string) =>
        cloud.web('GET', '/site', { token: null, headers: { authorization } })
      return { cloud, get }
    }

    test('is offered after Basic, MD5 before SHA-256', async (t) => {
      const { cloud } = await open(t)
      const { status, headers } = await cloud.web('GET', '/site', { token: null })
      assert.equal(status, 401, 'ERROR-WEBACCEL-401')
      const kinds = (headers['www-authenticate'] as string[]).map((text) =>
        text.replace(/nonce=.*/, ''),
      )
      assert.deepEqual(kinds, [
        'Basic realm="Kumoi", charset="UTF-8"',
        'Digest realm="Kumoi", qop="auth", algorithm=MD5, ',
        'Digest realm="Kumoi", qop="auth", algorithm=SHA-256, ',
      ])
    })

    test('lets the right answer in, by both algorithms, each count once', async (t) => {
      const { cloud, get } = await open(t)
      for (const algorithm of ['MD5', 'SHA-256']) {
        const nonce = (await challengeOf(cloud, algorithm)).get('nonce') ?? ''
        const header = answerTo(nonce, { algorithm })
        assert.equal((await get(header)).status, 200, algorithm)
        const replayed = await get(header)
        assert.deepEqual([replayed.status, replayed.body.error_code], [401, 'unauthorized'])
        assert.equal((await get(answerTo(nonce, { algorithm, nc: '00000002' }))).status, 200)
      }
    })

    test('lets one of two equal headers in, when both come at once', async (t) => {
      const { cloud, get } = await open(t)
      const header = answerTo((await challengeOf(cloud, 'SHA-256')).get('nonce') ?? '')
      const statuses = (await Promise.all([get(header), get(header), get(header)])).map(
        ({ status }) => status,
      )
      assert.deepEqual(statuses.sort(), [200, 401, 401])
    })

    test('refuses a wrong secret, token, target, nonce, quality or count', async (t) => {
      const { cloud, get } = await open(t)
      const nonce = (await challengeOf(cloud, 'SHA-256')).get('nonce') ?? ''
      const wrong: Credentials[] = [
        { secret: 'x' },
        { user: 'nobody' },
        { uri: `${WEBACCEL}/site/1` },
        { nc: '1' },
        { qop: 'auth-int' },
        { algorithm: 'MD5-sess' },
      ]
      for (const credentials of wrong)
        assert.equal(
          (await get(answerTo(nonce, credentials))).status,
          401,
          JSON.stringify(credentials),
        )
      for (const made of ['', 'x', `${nonce}x`, nonce.replace(/^./, '0')])
        assert.equal((await get(answerTo(made))).status, 401)
      assert.equal((await get('Digest')).status, 401)
      assert.equal((await get('Digest username="acme-token"')).status, 401)
      assert.equal((await get(answerTo(nonce))).status, 200, 'what was refused has used up nothing')
    })

    test('says stale when only the nonce has expired', async (t) => {
      const { cloud, get } = await open(t)
      const nonce = (await challengeOf(cloud, 'SHA-256')).get('nonce') ?? ''
      await cloud.clock.advanceTo(new Date(cloud.clock.now().getTime() + 5 * 60_000 - 1))
      assert.equal((await get(answerTo(nonce))).status, 200)
      await cloud.clock.advanceTo(new Date(cloud.clock.now().getTime() + 1))
      const stale = await get(answerTo(nonce, { nc: '00000002' }))
      assert.equal(stale.status, 401)
      assert.match(String((stale.headers['www-authenticate'] as string[])[2]), /, stale=true$/)
      const wrong = await get(answerTo(nonce, { nc: '00000002', secret: 'x' }))
      assert.doesNotMatch(String(wrong.headers['www-authenticate']), /stale/)
    })

    test('throttles wrong answers by source, and neither old nonces nor repeated headers', async (t) => {
      const { cloud, get } = await open(t)
      const nonce = (await challengeOf(cloud, 'SHA-256')).get('nonce') ?? ''
      const right = answerTo(nonce)
      assert.equal((await get(right)).status, 200)
      for (let n = 0; n <= WRONG_BY_NAME_MAX; n += 1) assert.equal((await get(right)).status, 401)
      for (let n = 0; n < WRONG_BY_NAME_MAX; n += 1) {
        assert.equal((await get(answerTo(nonce, { secret: 'x' }))).status, 401)
      }
      assert.equal((await get(answerTo(nonce, { nc: '00000002' }))).status, 429)
      assert.equal((await get(answerTo(nonce, { secret: 'x' }))).status, 429)
    })

    test('follows the limits of the key', async (t) => {
      const { cloud, get } = await open(t)
      const nonce = (await challengeOf(cloud, 'SHA-256')).get('nonce') ?? ''
      const path = '/accounts/acme/keys/acme-token'
      await cloud.operator('PUT', path, { body: { allowed_addresses: ['192.0.2.1'] } })
      const elsewhere = await get(answerTo(nonce))
      assert.equal(elsewhere.status, 403)
      assert.match(elsewhere.body.error_msg, /may not be used from 127\.0\.0\.1/)
      const body = { allowed_addresses: [], expires_at: '2026-03-01T00:00:00Z' }
      await cloud.operator('PUT', path, { body })
      const expired = await get(answerTo(nonce, { nc: '00000002' }))
      assert.equal(expired.status, 401)
      assert.match(expired.body.error_msg, /The key expired at/)
    })

    test('is not accepted on other paths', async (t) => {
      const { cloud } = await open(t)
      const nonce = (await challengeOf(cloud, 'SHA-256')).get('nonce') ?? ''
      const uri = '/cloud/zone/is1a/api/cloud/1.1/auth-status'
      const headers = { authorization: answerTo(nonce, { uri }) }
      assert.equal((await cloud.inject('GET', uri, { headers })).status, 401)
    })
  })
}

if (sharedPostgres !== undefined) {
  const openShared = sharedPostgres
  test('a nonce of one process is good at another, and each count once in both', async (t) => {
    const engine = await openShared()
    const [one, two] = [await openWeb(t, { engine }), await openWeb(t, { engine })]
    const get = ({ web }: TestWeb, nonce: string, nc: string) =>
      web('GET', '/site', { token: null, headers: { authorization: answerTo(nonce, { nc }) } })
    const nonce = (await challengeOf(one, 'SHA-256')).get('nonce') ?? ''
    assert.equal((await get(two, nonce, '00000001')).status, 200)
    assert.equal((await get(one, nonce, '00000001')).status, 401)
    assert.equal((await get(one, nonce, '00000002')).status, 200)
    assert.equal((await get(two, nonce, '00000002')).status, 401)
    // The same count at both at once: one of them comes first.
    const race = await Promise.all([one, two].map((cloud) => get(cloud, nonce, '00000003')))
    assert.deepEqual(race.map(({ status }) => status).sort(), [200, 401])
  })
}
