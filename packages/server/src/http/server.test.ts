import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { basic, openCloud, search } from '../testing/cloud.ts'
import { profileArgs } from '../testing/profiles.ts'
import { BODY_LIMIT_MIB } from './input.ts'

const BODY_LIMIT_BYTES = BODY_LIMIT_MIB * 1024 * 1024
const SERIAL = /^[0-9a-f]{32}$/

describe('the API server', () => {
  test('answers 404 with the failure body for a path that is nothing', async (t) => {
    const { ask, inject } = await openCloud(t)
    for (const answer of [
      await ask('GET', '/nothing'),
      await inject('GET', '/x'),
      await inject('POST', '/cloud'),
    ]) {
      assert.equal(answer.status, 404)
      const { serial, ...rest } = answer.body
      assert.match(serial, SERIAL)
      assert.deepEqual(rest, {
        is_fatal: true,
        status: '404 Not Found',
        error_code: 'not_found',
        error_msg: 'The target does not exist.\nThere is nothing at this path.',
        is_ok: false,
      })
      assert.equal(answer.headers['x-request-id'], serial)
    }
  })

  test('answers 404 for an unknown zone before it looks at the credentials', async (t) => {
    const { ask } = await openCloud(t)
    const answer = await ask('GET', '/auth-status', { zone: 'xx1a', token: null })
    assert.equal(answer.status, 404)
    assert.match(answer.body.error_msg, /There is no zone xx1a here/)
  })

  test('gives the same items from every zone', async (t) => {
    const { ask } = await openCloud(t)
    for (const zone of ['is1a', 'is1b', 'tk1a', 'tk1v', 'is1z']) {
      assert.equal((await ask('GET', '/auth-status', { zone })).status, 200, zone)
    }
  })

  test('answers 405 with Allow for a method that the path does not have', async (t) => {
    const { ask } = await openCloud(t)
    for (const method of ['PATCH', 'OPTIONS', 'DELETE', 'PROPFIND']) {
      const answer = await ask(method, '/commonserviceitem', { token: null })
      assert.equal(answer.status, 405, method)
      assert.equal(answer.body.error_code, 'method_not_allowed')
      assert.equal(answer.headers.allow, 'GET, HEAD, POST, PUT')
    }
  })

  test('answers HEAD as GET, without the body', async (t) => {
    const { ask } = await openCloud(t)
    const answer = await ask('HEAD', '/auth-status')
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assert.equal((await ask('HEAD', '/auth-status', { token: null })).status, 401)
  })

  test('asks for credentials before anything of the request is looked at', async (t) => {
    const { ask } = await openCloud(t)
    const broken = { token: null, body: '{"x' }
    for (const [method, path] of [
      ['POST', '/commonserviceitem'],
      ['GET', '/commonserviceitem?{broken'],
      ['GET', '/commonserviceitem/900000000000'],
      ['DELETE', '/commonserviceitem/abc'],
    ] as const) {
      const answer = await ask(method, path, broken)
      assert.equal(answer.status, 401, path)
      assert.equal(answer.headers['www-authenticate'], 'Basic realm="Kumoi", charset="UTF-8"')
    }
    const large = await ask('POST', '/commonserviceitem', {
      token: null,
      body: 'x'.repeat(BODY_LIMIT_BYTES + 1),
    })
    assert.equal(large.status, 401)
  })

  test('looks at the access level before the body', async (t) => {
    const { ask } = await openCloud(t)
    const answer = await ask('POST', '/commonserviceitem', { token: 'acme-view', body: '{"x' })
    assert.deepEqual([answer.status, answer.body.error_code], [403, 'forbidden'])
    assert.equal(answer.headers['www-authenticate'], undefined)
  })

  test('takes a body for JSON whatever its Content-Type says', async (t) => {
    const { ask } = await openCloud(t)
    const body = JSON.stringify({ CommonServiceItem: { Provider: { Class: 'nothing' } } })
    for (const type of [
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'garbage;;;',
      '',
      'multipart/form-data',
    ]) {
      const answer = await ask('POST', '/commonserviceitem', {
        headers: { 'content-type': type },
        body,
      })
      assert.match(answer.body.error_msg, /Provider\.Class "nothing" is not known/, type)
    }
  })

  test('answers 400 for a body that is missing, broken, no object, or not UTF-8', async (t) => {
    const { ask } = await openCloud(t)
    const cases: [unknown, RegExp][] = [
      [undefined, /has no body/],
      ['', /has no body/],
      ['  ', /has no body/],
      ['{"a":', /not valid JSON/],
      ['[]', /The body must be of type object/],
      ['null', /The body must be of type object/],
      ['{}', /CommonServiceItem is missing/],
      [Buffer.from([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
      [
        '{"CommonServiceItem":{"Provider":{"Class":"a"},"Name":5}}',
        /CommonServiceItem\.Name must be of type string/,
      ],
    ]
    for (const [body, message] of cases) {
      const answer = await ask('POST', '/commonserviceitem', { body })
      assert.equal(answer.status, 400, String(message))
      assert.equal(answer.body.error_code, 'bad_request')
      assert.match(answer.body.error_msg, message)
    }
  })

  test('takes a body of the limit and answers 413 for one byte more', async (t) => {
    const { ask } = await openCloud(t)
    const atLimit = `{${' '.repeat(BODY_LIMIT_BYTES - 2)}}`
    assert.equal((await ask('POST', '/commonserviceitem', { body: atLimit })).status, 400)
    const answer = await ask('POST', '/commonserviceitem', { body: `${atLimit} ` })
    assert.equal(answer.status, 413)
    assert.equal(answer.body.error_code, 'request_too_large')
  })

  test('refuses half a character, which no database gives back as it was sent', async (t) => {
    const { ask } = await openCloud(t)
    const body = (name: string) =>
      `{"CommonServiceItem":{"Name":"${name}","Provider":{"Class":"x"}}}`
    const half = await ask('POST', '/commonserviceitem', { body: body('\\ud800x') })
    assert.match(half.body.error_msg, /half a character/)
    const whole = await ask('POST', '/commonserviceitem', { body: body('\\ud842\\udfb7') })
    assert.match(whole.body.error_msg, /is not known/)
  })

  test('answers 404 in its own words for a path that cannot be decoded or is far too long', async (t) => {
    const { ask } = await openCloud(t)
    for (const id of ['%zz', '9'.repeat(600)]) {
      const answer = await ask('GET', `/commonserviceitem/${id}`)
      assert.equal(answer.status, 404, id)
      assert.match(answer.body.error_msg, /There is nothing at this path/)
    }
  })

  test('survives deep nesting', async (t) => {
    const { ask } = await openCloud(t)
    const depth = 200_000
    const body = `{"CommonServiceItem":${'['.repeat(depth)}${']'.repeat(depth)}}`
    assert.equal((await ask('POST', '/commonserviceitem', { body })).status, 400)
  })

  test('indents when asked to', async (t) => {
    const { ask } = await openCloud(t)
    const plain = await ask('GET', '/auth-status')
    assert.ok(!plain.text.includes('\n'))
    const pretty = await ask('GET', '/auth-status', { headers: { 'X-Service-API-Beautify': '1' } })
    assert.ok(pretty.text.startsWith('{\n  "Account": {\n'))
    assert.deepEqual(pretty.body, plain.body)
  })

  test('indents refusals, too', async (t) => {
    const { ask } = await openCloud(t)
    const headers = { 'X-Service-API-Beautify': '1' }
    const refused = [
      await ask('GET', '/nothing', { headers }),
      await ask('GET', '/auth-status', { headers, token: null }),
      await ask('POST', '/commonserviceitem', { headers, body: '{' }),
    ]
    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 401, 400],
    )
    for (const { text } of refused) assert.ok(text.startsWith('{\n  "is_fatal": true,\n'), text)
    assert.ok(!(await ask('GET', '/nothing')).text.includes('\n'))
  })

  test('speaks Japanese when asked to', async (t) => {
    const { ask } = await openCloud(t)
    const answer = await ask('GET', '/nothing', { headers: { 'accept-language': 'ja' } })
    assert.equal(answer.body.error_msg, '対象が見つかりません。\nこのパスには何もありません。')
  })

  test('takes paths that end in .json', async (t) => {
    const { ask } = await openCloud(t)
    assert.equal((await ask('GET', '/auth-status.json')).status, 200)
    assert.equal((await ask('GET', `/commonserviceitem.json${search({ Count: 1 })}`)).status, 200)
  })

  test('gives back the request id that a caller sent, when it is a sensible one', async (t) => {
    const { ask } = await openCloud(t)
    const sent = await ask('GET', '/auth-status', { headers: { 'x-request-id': 'abc-123' } })
    assert.equal(sent.headers['x-request-id'], 'abc-123')
    const odd = await ask('GET', '/auth-status', { headers: { 'x-request-id': 'a b' } })
    assert.match(String(odd.headers['x-request-id']), SERIAL)
  })

  test('dates its answers by the clock of the world', async (t) => {
    const { ask } = await openCloud(t)
    assert.equal((await ask('GET', '/auth-status')).headers.date, 'Tue, 31 Mar 2026 15:00:00 GMT')
  })

  test('refuses names on a loopback address that anybody could point there, while in dev mode', async (t) => {
    const ask = async (args: readonly string[], host: string) => {
      const { cloud } = await openCloud(t, { args })
      const port = await cloud.api.listen('127.0.0.1', 0)
      const head = `GET ${STATUS} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`
      return exchange(port, `${head}Authorization: ${basic('acme-token')}\r\n\r\n`)
    }
    const profile = profileArgs(t, { hosts: ['real.example.com'] })
    const args = ['--public-url', 'https://cloud.example.jp', ...profile]
    const own = ['localhost:8443', '127.0.0.1', '[::1]:1', 'a.localhost', 'cloud.example.jp']
    for (const host of [...own, 'real.example.com']) {
      assert.match(await ask(args, host), /^HTTP\/1\.1 200 /, host)
    }
    const refused = await ask(args, 'rebound.example:8443')
    assert.match(refused, /^HTTP\/1\.1 403 [\s\S]*The Host header names no address of this server/)
  })

  test('refuses such a name after one that is right, and after the same by another way', async (t) => {
    const { cloud } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const ask = (host: string) =>
      exchange(port, `GET ${STATUS} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    const rebound = 'rebound.example'
    // It does not come to a loopback address, so that its name is not looked at.
    const elsewhere = await cloud.api.inject({ url: STATUS, headers: { host: rebound } })
    assert.equal(elsewhere.statusCode, 401)
    for (const [host, status] of [
      [rebound, 403],
      ['localhost', 401],
      [rebound, 403],
      ['localhost', 401],
    ] as const) {
      assert.match(await ask(host), new RegExp(`^HTTP/1\\.1 ${status} `), host)
    }
  })

  test('answers on the bare socket in the failure body, whatever comes', async (t) => {
    const { cloud } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const send = (text: string) => exchange(port, text)
    assert.match(
      await send('nonsense\r\n\r\n'),
      /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"error_code":"bad_request"/,
    )
    const long = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
    assert.match(await send(long), /^HTTP\/1\.1 413 [\s\S]*larger than 16 KiB/)
    const raw = 'GET /cloud?Name=日本 HTTP/1.1\r\nHost: localhost\r\n\r\n'
    assert.match(
      await send(raw),
      /^HTTP\/1\.1 400 [\s\S]*must be percent-encoded[\s\S]*"is_ok":false/,
    )
    const badEscape = 'GET /cloud/%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    assert.match(await send(badEscape), /^HTTP\/1\.1 404 [\s\S]*"is_ok":false/)
    const hostless = 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'
    assert.match(await send(hostless), /^HTTP\/1\.1 400 [\s\S]*has no Host header/)
    const absolute =
      'GET http://x/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    assert.match(await send(absolute), /^HTTP\/1\.1 (200|404) /)
  })

  test('answers a client that goes on sending more than the limit', async (t) => {
    const { cloud } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const path = '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem'
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic('acme-token')}\r\n`
    const body = 'x'.repeat(4 * BODY_LIMIT_BYTES)
    const sized = await exchange(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    assert.match(sized, /^HTTP\/1\.1 413 [\s\S]*larger than the limit of 1 MiB/)
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const chunked = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)
    assert.match(chunked, /^HTTP\/1\.1 413 [\s\S]*larger than the limit of 1 MiB/)
  })

  const CREATE = '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem'
  const STATUS = '/cloud/zone/is1a/api/cloud/1.1/auth-status'
  const authorization = `Authorization: ${basic('acme-token')}`
  const itemBody = JSON.stringify({ CommonServiceItem: { Name: 'n', Provider: { Class: 'esme' } } })

  test('answers requests that come together on one connection, in their order, and HEAD without a body', async (t) => {
    const { cloud } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const ask = (method: string, path: string, last = '') =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n${last}\r\n`
    const text = await exchange(
      port,
      ask('GET', STATUS) + ask('HEAD', STATUS) + ask('GET', `${CREATE}/1`, 'Connection: close\r\n'),
    )
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '200', '404'])
    const [, , head = ''] = text.split('HTTP/1.1 ')
    assert.match(head, /content-length: [1-9]\d*\r\n[\s\S]*\r\n\r\n$/i)
    assert.match(text, /keep-alive: timeout=72/i)
  })

  test('answers a POST that closes the connection, whatever bytes follow it', async (t) => {
    const { cloud, ask } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const head = `POST ${CREATE} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n`
    const text = await exchange(
      port,
      `${head}Content-Length: ${itemBody.length}\r\n\r\n${itemBody}GET / HTTP/1.1\r\n\r\n`,
    )
    assert.match(text, /^HTTP\/1\.1 201 /)
    assert.equal(text.match(/HTTP\/1\.1/g)?.length, 1)
    assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 1)
  })

  test('answers 400 for a body that is broken on the way, and changes nothing', async (t) => {
    const { cloud, ask } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const head = `POST ${CREATE} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`
    const text = await exchange(port, `${head}Transfer-Encoding: chunked\r\n\r\nno length\r\n`)
    assert.match(text, /^HTTP\/1\.1 400 [\s\S]*not a valid HTTP request/)
    assert.equal((await ask('GET', '/commonserviceitem')).body.Total, 0)
  })

  test('answers 417 in the failure body for an Expect that it does not know', async (t) => {
    const { cloud } = await openCloud(t)
    const port = await cloud.api.listen('127.0.0.1', 0)
    const head = `GET ${STATUS} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n`
    assert.match(
      await exchange(port, `${head}Expect: x\r\n\r\n`),
      /^HTTP\/1\.1 417 [\s\S]*"error_code":"expectation_failed"/,
    )
    const body = `Expect: 100-continue\r\n\r\n`
    assert.match(await exchange(port, head + body), /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 200 /)
  })

  test('serves the console with a policy that lets nothing else in', async (t) => {
    const { inject } = await openCloud(t)
    const page = await inject('GET', '/')
    assert.equal(page.status, 200)
    assert.match(page.text, /<meta name="kumoi-api" content="\/cloud"/)
    assert.match(
      String(page.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    assert.doesNotMatch(page.text, /<script>|<style| style=| on\w+=/)
    assert.equal(page.headers['cache-control'], 'no-cache')
    for (const [path] of page.text.matchAll(/\/assets\/[\w.-]+/g)) {
      const asset = await inject('GET', path)
      assert.equal(asset.status, 200)
      assert.match(String(asset.headers['cache-control']), /immutable/)
    }
    assert.equal((await inject('GET', '/assets/other.js')).status, 404)
  })
})

/** All that comes back for these bytes until the connection ends. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk
    })
    socket.once('error', reject).once('close', () => resolve(answer))
  })
}
