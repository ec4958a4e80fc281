import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { describe, test } from 'node:test'
import { SeededRandom } from '../kernel/random.ts'
import { PlainReader } from './plain-request.ts'

const read = (text: string) => new PlainReader(new Socket()).read(Buffer.from(text, 'latin1'))
const GET = 'GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n'
const withField = (field: string) => `GET / HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`
const post = (length: string, body = '') =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`

describe('a plain request', () => {
  test('is read with its fields, in small letters and without the blanks around them', () => {
    const text = 'GET /a?b HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nAccept:  a, b\t\r\n\r\n'
    const { socket, ...request } = read(text) ?? {}
    assert.deepEqual(request, {
      ...{ method: 'GET', url: '/a?b', body: undefined, size: text.length },
      headers: { host: 'x', 'x-empty': '', accept: 'a, b' },
    })
  })

  test('is read with its body, and leaves the next request alone', () => {
    const text = post('3', 'abc')
    const request = read(`${text}GET`)
    assert.deepEqual([request?.body?.toString(), request?.size], ['abc', text.length])
    assert.equal(read(post('0'))?.body, undefined)
  })

  test('reads other fields than those of the request before', () => {
    const reader = new PlainReader(new Socket())
    const hostOf = (text: string) => reader.read(Buffer.from(text))?.headers.host
    assert.equal(hostOf(GET), 'x')
    assert.equal(hostOf(GET), 'x')
    assert.equal(hostOf(GET.replace('Host: x', 'Host: y')), 'y')
    assert.equal(hostOf('GET / HTTP/1.1\r\n\r\n'), undefined)
  })

  test('may have a head of 16 KiB, and none longer', () => {
    const filled = (size: number) =>
      withField(`X: ${'x'.repeat(size - withField('X: ').length + '\r\n\r\n'.length)}`)
    assert.notEqual(read(filled(16 * 1024)), undefined)
    assert.equal(read(filled(16 * 1024 + 1)), undefined)
  })

  const others = {
    'not whole': GET.slice(0, -1),
    'without its whole body': post('3', 'ab'),
    'of another method': GET.replace('GET', 'HEAD'),
    'of another version': GET.replace('1.1', '1.0'),
    'to a proxy': GET.replace('/a', 'http://x/a'),
    'with a fragment': GET.replace('?b', '#b'),
    'with a blank in its path': GET.replace('?b', ' b'),
    'with a byte that is no ASCII in its path': GET.replace('?b', '\xe9'),
    'with a line that ends otherwise': GET.replace('\r\nHost', '\nHost'),
    'with a folded field': withField('A: b\r\n c'),
    'with a blank before the colon': withField('A : b'),
    'with a field twice': withField('host: y'),
    'with a field named as what every object has': withField('constructor: x'),
    'with an underscore in a name': withField('__proto__: x'),
    'with a byte that is no ASCII in a value': withField('A: \xe9'),
    'with a control character in a value': withField('A: b\0c'),
    'with a bare CR in a value': withField('A: b\rc'),
    'that is chunked': withField('Transfer-Encoding: chunked'),
    'that waits to be asked for its body': withField('Expect: 100-continue'),
    'for another protocol': withField('Upgrade: websocket'),
    'that ends the connection': withField('Connection: close'),
    'with several words about the connection': withField('Connection: keep-alive, X'),
    'to read with a body': GET.replace('\r\n\r\n', '\r\nContent-Length: 1\r\n\r\nx'),
    'with a signed length': post('+1', 'x'),
    'with a length in hexadecimal': post('0x1', 'x'),
    'with a length that begins with 0': post('01', 'x'),
    'with two lengths': post('1, 1', 'x'),
  }
  for (const [name, text] of Object.entries(others)) {
    test(`is none ${name}`, () => assert.equal(read(text), undefined))
  }
})

test("whatever is read here, Node's parser reads in the same way", async (t) => {
  const seen: { message: IncomingMessage; body: Promise<string> }[] = []
  const server = createServer({ requireHostHeader: false }, (message, response) => {
    seen.push({ message, body: message.setEncoding('latin1').toArray().then(concat) })
    response.end()
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const random = new SeededRandom('requests')
  let plain = 0
  for (const text of mutations(random, 1500)) {
    const request = read(text)
    // What follows it is another request.
    if (request === undefined || request.size !== text.length) continue
    plain += 1
    seen.length = 0
    const client = connect(port, '127.0.0.1').on('error', () => undefined)
    client.end(text, 'latin1')
    await once(client.resume(), 'close')
    const [first] = seen
    assert.equal(seen.length, 1, JSON.stringify(text))
    const { method, url, headers } = first?.message ?? {}
    assert.deepEqual(
      { method, url, headers, body: await first?.body },
      {
        ...{ method: request.method, url: request.url, headers: request.headers },
        body: request.body?.toString('latin1') ?? '',
      },
      JSON.stringify(text),
    )
  }
  assert.ok(plain > 100, `${plain} of them were plain`)
})

const concat = (chunks: string[]) => chunks.join('')

/** Good requests with a few bytes taken out, put in or changed, mostly for those that matter. */
function* mutations(random: SeededRandom, count: number): Generator<string> {
  const number = (below: number) => random.bytes(4).readUInt32BE() % below
  const pick = <T>(values: readonly T[]): T => values[number(values.length)] as T
  const samples = [
    GET,
    post('3', 'abc'),
    withField('Connection: keep-alive'),
    withField('Accept: a;q=1, b'),
    'DELETE /a%20b HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YTpi\r\nContent-Length: 0\r\n\r\n',
  ]
  const bytes = [
    ...'\r\n\t :;,?#%0/"\\{}<>|^`[]ab\0\x7f\x80\xff'.split(''),
    '\r\n',
    'Host: y\r\n',
    '3',
  ]
  for (let n = 0; n < count; n += 1) {
    let text = pick(samples)
    for (let changes = 1 + number(2); changes > 0; changes -= 1) {
      const at = number(text.length)
      text = text.slice(0, at) + (number(3) === 0 ? '' : pick(bytes)) + text.slice(at + number(2))
    }
    yield text
  }
}
