/** A short run of the fuzzer against both engines side by side; `npm run fuzz` and `npm run prove` do longer ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../tools/fuzz/call.ts'
import { fuzz } from './fuzz.ts'

/** The same each time: a run that fails can be repeated. */
const SEED = 20_260_401

test('no answer of either engine is a fault, and both engines answer alike', async (t) => {
  const log = (text: string) => t.diagnostic(text)
  const { violations, figures } = await fuzz.run({ seed: SEED, size: 'sample', folder: '', log })
  assert.deepEqual(violations, [])
  for (const { name, value } of figures) assert.ok(Number.parseInt(value, 10) > 0, name)
  const reached = figures.find(({ name }) => name.startsWith('Operations'))?.value
  assert.equal(reached, `${operations.size} of ${operations.size}`)
})
