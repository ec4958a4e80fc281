/** A server with a bug of its own: what the fuzzer finds there is made small, and printed so that it can be repeated. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Session } from './session.ts'
import { shrink } from './shrink.ts'
import { step } from './step.ts'
import { targetAt } from './target.ts'

/** The ids of its faults are others each time. An item with the id of one fails with a name of more than 20 letters. */
async function startBroken(t: TestContext): Promise<string> {
  const known = new Set<string>()
  const server = createServer(async (message, response) => {
    const body = await textOf(message)
    const { method, url = '' } = message
    if (url.endsWith('/reset')) known.clear()
    if (method === 'POST' && url.endsWith('/faults')) {
      const id = randomUUID()
      known.add(id)
      const fault = { id, operation: 'itemUpdate', effect: { reset: true }, hits: 0 }
      return response.writeHead(201, JSON_TYPE).end(JSON.stringify({ is_ok: true, fault }))
    }
    const name: unknown =
      method === 'PUT' && body !== '' ? JSON.parse(body).CommonServiceItem?.Name : ''
    const isKnown = known.has(url.split('/').at(-1) ?? '')
    if (isKnown && typeof name === 'string' && name.length > 20) {
      return response.writeHead(500, JSON_TYPE).end(failure('500 Internal Server Error'))
    }
    return response.writeHead(404, JSON_TYPE).end(failure('404 Not Found'))
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Of a server that listens on a port, as its type does not say.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const JSON_TYPE = { 'content-type': 'application/json' }

const failure = (status: string) =>
  JSON.stringify({
    ...{ is_fatal: true, serial: 'a'.repeat(32), status, error_code: 'x', error_msg: 'x' },
    is_ok: false,
  })

async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) text += chunk
  return text
}

const add = step(
  'faultAdd',
  { body: { operation: 'itemUpdate', effect: { reset: true } } },
  { fault: 'fault.id' },
)
const rename = (name: string) =>
  step('itemUpdate', (pool) => ({
    params: { id: pool.get('fault') },
    headers: { 'x-request-id': 'a' },
    body: { CommonServiceItem: { Name: name, Description: 'b', Tags: ['c', 'd'] } },
  }))

test('a fault that needs an id of an earlier answer becomes curl commands that repeat it on a new server', async (t) => {
  const origin = await startBroken(t)
  const target = targetAt('sqlite', origin)
  t.after(() => target.close())
  const session = new Session([target])
  await session.send(rename('x'.repeat(40)))
  assert.equal(session.isDisturbed, false)
  for (let count = 0; count < 6; count += 1) {
    await session.send(add)
    await session.send(rename('y'))
  }
  await session.send(rename('x'.repeat(40)))
  assert.equal(session.isDisturbed, true)
  await session.shrinkFindings()
  const [finding, ...others] = session.findings
  assert.deepEqual(others, [])
  assert.match(finding?.what ?? '', /^status 500/)
  const repeat = finding?.repeat ?? ''
  const [reset = '', added = '', renamed = '', ...more] = repeat.split('\n')
  assert.deepEqual(more, [], repeat)
  assert.match(reset, /\/reset'$/)
  assert.match(added, /^ANSWER=\$\(curl .*fault_0=/)
  assert.match(renamed, /\{"CommonServiceItem":\{"Name":"x{21}"\}\}/)
  assert.doesNotMatch(repeat, /x-request-id/)

  const script = repeat.replaceAll(origin, await startBroken(t))
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  assert.match(stdout, /500 Internal Server Error/)
})

test('leaves of a sequence what is needed, in its order', async () => {
  const sequence = Array.from({ length: 60 }, (_, n) => n)
  const fails = async (some: readonly number[]) => [7, 31, 59].every((one) => some.includes(one))
  assert.deepEqual(await shrink({ sequence, fails, simpler: () => [] }), [7, 31, 59])
})

test('says when a sequence does not fail again', async () => {
  const fails = async () => false
  assert.equal(await shrink({ sequence: [1, 2], fails, simpler: () => [] }), undefined)
})
