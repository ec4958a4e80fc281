/** The pieces of the fuzzer; prove/fuzz.test.ts runs it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitting, outside } from './boundary.ts'
import { operations, toCurl, toWire, type Wire } from './call.ts'
import { RESET } from './commands.ts'
import { generate, type Shape } from './generator.ts'
import { mutate } from './mutate.ts'
import { hasOneAnswer, judge } from './oracle.ts'
import { Choices, seedOf } from './random.ts'
import { judgeRaw } from './raw.ts'
import { run } from './run.ts'
import { scenario } from './scenario.ts'
import { fits, formOf, judgeForm } from './shape.ts'
import { callOf, Pool, step } from './step.ts'
import type { Target } from './target.ts'

const json = { 'content-type': 'application/json' }
const failure = (status: string) =>
  JSON.stringify({
    ...{ is_fatal: true, serial: 'a'.repeat(32), status, error_code: 'x', error_msg: 'x' },
    is_ok: false,
  })

test('the scenario has every operation', () => {
  const names = new Set(scenario.map(({ name }) => name))
  assert.deepEqual(
    [...operations.keys()].filter((name) => !names.has(name)),
    [],
  )
})

test('the same seed makes the same requests, another one others', () => {
  const all = (seed: number) =>
    scenario.map((step, index) => {
      const pool = new Pool()
      return toWire(mutate(callOf(step, pool), new Choices(seedOf(seed, index)), pool))
    })
  assert.deepEqual(all(1), all(1))
  assert.notDeepEqual(all(1), all(2))
})

test('values from a schema fit it, break it, and stand at its limits', () => {
  const shape = { type: 'integer', minimum: 3, maximum: 5 }
  const values = Array.from({ length: 5000 }, (_, n) => generate(shape, new Choices(seedOf(9, n))))
  for (const wanted of [2, 3, 5, 6, 1.5, 2 ** 63, 'a\0b'])
    assert.ok(values.includes(wanted), `${wanted}`)
})

test('what is made to fit a schema does, with every limit reached; what is made to break it mostly does', () => {
  let broken = 0
  let tries = 0
  const shapes = [...operations.values()].flatMap(({ operation: { body, query } }) => [
    ...(body === undefined ? [] : [body]),
    ...(query === undefined || query === 'search' ? [] : [query]),
  ])
  for (const schema of shapes) {
    for (let seed = 1; seed <= 20; seed += 1) {
      // Schemas are plain data; ours use the keywords of `Shape` only.
      const shape = schema as Shape
      const value = fitting(shape, new Choices(seed))
      assert.ok(fits(schema, value), JSON.stringify([schema, value]).slice(0, 2000))
      tries += 1
      if (
        !fits(
          schema,
          outside(shape, seed, (own) => new Choices(own)),
        )
      )
        broken += 1
    }
  }
  assert.ok(broken > tries / 2, `${broken} of ${tries}`)
  const shape = { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 3 } }
  const values = Array.from({ length: 300 }, (_, seed) =>
    outside(shape, seed, (own) => new Choices(own)),
  )
  assert.ok(values.some((value) => Object(value).length === 5))
  assert.ok(values.flat().includes('xxxx'))
})

describe('the form of a call', () => {
  const answer = (status: number, message = '') => ({
    ...{ status, headers: {}, text: JSON.stringify({ error_msg: message }), problem: undefined },
  })
  const call = (body: string) => {
    const { name, params, headers } = callOf(step('switchCreate'), new Pool())
    return { name, params, headers, query: '', body }
  }

  test('is decided by the contract alone', () => {
    assert.equal(formOf(call('{"Switch":{"Name":"a"}}')), 'fits')
    assert.equal(formOf(call('{"Switch":{"Name":1}}')), 'outside')
    assert.equal(formOf(call('{')), 'undecided')
  })

  test('must not be refused where it fits, nor taken where it does not', () => {
    const refused = 'The request is not valid.\nSwitch.Name may have at most 9 characters.'
    assert.match(judgeForm('fits', answer(400, refused)) ?? '', /refuses the form/)
    assert.match(judgeForm('outside', answer(201)) ?? '', /excludes/)
    assert.equal(judgeForm('fits', answer(400, 'There are too many.')), undefined)
    assert.equal(judgeForm('outside', answer(400, refused)), undefined)
    assert.equal(judgeForm('fits', answer(201)), undefined)
  })
})

describe('bytes on a socket', () => {
  const request = { what: 'a', bytes: '' }
  const answers = (...statuses: number[]) => ({
    ...{ statuses, problem: undefined },
    text: statuses.map((status) => `HTTP/1.1 ${status} X\r\n\r\n{}`).join(''),
  })
  const wrong: [string, ReturnType<typeof answers>, RegExp][] = [
    ['a dropped connection', answers(), /dropped/],
    ['a fault', answers(200, 500), /status 500/],
    ['a failure without its body', answers(400), /without the failure body/],
    ['an answer that nobody asked for', answers(200, 200), /2 answers to 1/],
  ]
  for (const [title, outcome, message] of wrong) {
    test(`finds ${title}`, () =>
      assert.match(judgeRaw('itemList', request, outcome) ?? '', message))
  }

  test('need one answer each, but for those that wait for the end of a stream', () => {
    const many = { ...request, count: 5 }
    assert.match(judgeRaw('itemList', many, answers(200)) ?? '', /1 answers to 5/)
    const stream = { ...answers(200), text: 'content-type: text/event-stream' }
    assert.equal(judgeRaw('itemList', many, stream), undefined)
  })

  test('may be the refusal of a device, in the form of FreeRADIUS', () => {
    const refusal = '{"reply:Reply-Message":{"value":["not_activated"]}}'
    const text = `HTTP/1.1 401 X\r\ncontent-type: application/json\r\n\r\n${refusal}`
    const outcome = { ...answers(401), text }
    assert.equal(judgeRaw('radiusAuthorize', request, outcome), undefined)
    assert.match(judgeRaw('itemList', request, outcome) ?? '', /without the failure body/)
  })

  test('may stay without an answer where the client has broken off', () => {
    assert.equal(judgeRaw('itemList', { ...request, isCutOff: true }, answers()), undefined)
  })
})

test('every pass begins with a reset: requests at once leave each server in a state of its own', async () => {
  const sent: Wire[] = []
  const begins: number[] = []
  const text = failure('404 Not Found')
  const target: Target = {
    ...{ engine: 'sqlite', origin: 'http://127.0.0.1:9', cpuMs: () => undefined, close: () => {} },
    async send(wire) {
      sent.push(wire)
      return { status: 404, headers: json, text, problem: undefined }
    },
  }
  await run([target], { seed: 1, requests: 5000, onPass: () => begins.push(sent.length) })
  const firsts = begins.slice(0, -1).map((begin) => sent[begin])
  assert.ok(firsts.length >= 3, 'one of each kind')
  for (const first of firsts) assert.deepEqual(first, toWire(callOf(RESET, new Pool())))
})

test('a curl line repeats a request, quotes and all', () => {
  const wire = { method: 'PUT', path: '/a', headers: { b: "c'd" }, body: '{"e":"\'"}' }
  assert.equal(
    toCurl('http://x', wire),
    `curl -k -g -X PUT -H 'b: c'\\''d' --data-binary '{"e":"'\\''"}' 'http://x/a'`,
  )
})

describe('the oracle', () => {
  const answer = (status: number, text: string, problem?: string) => ({
    ...{ status, text, problem },
    headers: json,
  })

  test('finds nothing in a success that fits its contract, and in a failure with its body', () => {
    assert.equal(judge('healthLive', answer(200, '{"status":"live","is_ok":true}')), undefined)
    assert.equal(judge('itemRead', answer(404, failure('404 Not Found'))), undefined)
  })

  test('takes a fault that was injected, and one that the contract has, for meant', () => {
    const injected = failure('503 Service Unavailable').replace(
      '"error_msg":"x"',
      '"error_msg":"This failure was injected by a test."',
    )
    assert.equal(judge('itemRead', answer(503, injected)), undefined)
    assert.equal(judge('cacheDelete', answer(503, failure('503 x'))), undefined)
    assert.match(judge('itemRead', answer(503, failure('503 x'))) ?? '', /status 503/)
  })

  const wrong: [string, string, ReturnType<typeof answer>, RegExp][] = [
    ['a fault', 'itemRead', answer(500, failure('500 Internal Server Error')), /status 500/],
    ['a hang', 'itemRead', answer(0, '', 'it hangs'), /hangs/],
    ['a failure without its body', 'itemRead', answer(404, '{}'), /without the failure body/],
    ['another status in the body', 'itemRead', answer(404, failure('400 Bad')), /without/],
    ['an answer against its contract', 'healthLive', answer(200, '{"is_ok":true}'), /is missing/],
    ['an answer without is_ok', 'healthLive', answer(200, '{"status":"live"}'), /no is_ok/],
    ['another success than the contract has', 'itemCreate', answer(200, '{}'), /status 200/],
    ['what is no JSON', 'healthLive', answer(200, '<html>'), /no JSON/],
  ]
  for (const [title, name, outcome, message] of wrong) {
    test(`finds ${title}`, () => assert.match(judge(name, outcome) ?? '', message))
  }
})

test('certificates are compared until one was ordered', () => {
  const enable = { step: step('autoCertificateEnable') }
  assert.equal(hasOneAnswer('certificateDelete', []), true)
  assert.equal(hasOneAnswer('certificateDelete', [enable]), false)
  assert.equal(hasOneAnswer('siteDelete', [enable]), true)
  assert.equal(hasOneAnswer('auditList', []), false)
})
