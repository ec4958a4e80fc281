/** A short run of the fuzzer against both engines side by side; `npm run fuzz` does longer ones. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { postgresServerUrl } from '../../packages/server/src/testing/engines.ts'
import { newDatabaseUrl } from '../../packages/server/src/testing/postgres-databases.ts'
import { operations, toCurl, toWire } from './call.ts'
import { generate } from './generator.ts'
import { mutate } from './mutate.ts'
import { judge } from './oracle.ts'
import { Choices, seedOf } from './random.ts'
import { run } from './run.ts'
import { scenario } from './scenario.ts'
import { callOf, Pool } from './step.ts'
import { startTarget, type Target } from './target.ts'

/** About a minute on a small machine, most of it the first pass through all operations. */
const REQUESTS = 1200
/** The same each time: a run that fails can be repeated. */
const SEED = 20_260_401

test('no answer of either engine is a fault, and both engines answer alike', async (t) => {
  const url = postgresServerUrl && (await newDatabaseUrl(postgresServerUrl))
  const targets: Target[] = [await startTarget('sqlite', undefined)]
  t.after(() => {
    for (const target of targets) target.close()
  })
  if (url !== undefined) targets.push(await startTarget('postgres', url))
  const { findings, unreached } = await run(targets, { seed: SEED, requests: REQUESTS })
  assert.deepEqual(findings, [])
  assert.deepEqual(unreached, [], 'Operations that the scenario never reaches.')
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

test('a curl line repeats a request, quotes and all', () => {
  const wire = { method: 'PUT', path: '/a', headers: { b: "c'd" }, body: '{"e":"\'"}' }
  assert.equal(
    toCurl('http://x', wire),
    `curl -k -g -X PUT -H 'b: c'\\''d' --data-binary '{"e":"'\\''"}' 'http://x/a'`,
  )
})

describe('the oracle', () => {
  const json = { 'content-type': 'application/json' }
  const failure = (status: string) =>
    JSON.stringify({
      ...{ is_fatal: true, serial: 'a'.repeat(32), status, error_code: 'x', error_msg: 'x' },
      is_ok: false,
    })
  const answer = (status: number, text: string, problem?: string) => ({
    ...{ status, text, problem },
    headers: json,
  })

  test('finds nothing in a success that fits its contract, and in a failure with its body', () => {
    assert.equal(judge('healthLive', answer(200, '{"status":"live","is_ok":true}')), undefined)
    assert.equal(judge('itemRead', answer(404, failure('404 Not Found'))), undefined)
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
