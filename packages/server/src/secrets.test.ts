/**
 * What a secret is, the contracts say by its type (docs/adr/0004-secret-type.md). Two walks see that none is
 * forgotten: one over the names of all fields, one that calls each operation with a secret and looks for it everywhere.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { interfaceOperations, slices } from './contracts.ts'
import { fieldsOf, isSecret } from './kernel/shapes.ts'
import { schemasOf } from './services/control/secret-rules.ts'
import { callWithSecrets } from './testing/secrets.ts'

const LOOKS_SECRET = /pass|secret|token|otp|key/i

/** Names that only look like a secret's. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  AccessKeyID: 'names the key of an object storage, as a user name does; the secret is apart',
  accessKeyId: 'the same',
  otpOperation: 'a word: whether the password is made or given',
  IsAPIKey: 'a flag',
}

const operations = slices.flatMap(({ contract }) => Object.entries(contract))

describe('fields of all contracts', () => {
  test('whose names look secret are secrets by type', () => {
    const forgotten = operations.flatMap(([name, operation]) =>
      schemasOf(operation)
        .flatMap((schema) => fieldsOf(schema))
        .filter((field) => LOOKS_SECRET.test(field.name) && !(field.name in NO_SECRETS))
        // The empty text that some fields take for nothing.
        .filter(({ shape }) => !isSecret(shape) && shape.const !== '')
        .map(({ path }) => `${name}: ${path}`),
    )
    assert.deepEqual(forgotten, [], 'make them Secret() or say why they are none')
  })
})

test('no secret of any call is in the lists of requests, the archive, events or the log', async (t) => {
  const { called, values, everywhere } = await callWithSecrets(t)
  const withSecrets = operations
    .filter(([name]) => interfaceOperations.has(name))
    .filter(([, operation]) =>
      schemasOf(operation)
        .flatMap((one) => fieldsOf(one))
        .some(({ shape }) => isSecret(shape)),
    )
    .map(([name]) => name)
  assert.deepEqual(
    withSecrets.filter((name) => !called.has(name)),
    [],
    'testing/secrets.ts has no call of these',
  )
  for (const known of [
    'passcode1',
    'GivenOtp9',
    'SecretHookPath',
    'SecretChannel',
    'UploadSecret1',
  ]) {
    assert.ok(values.has(known), known)
  }
  const shown = await everywhere()
  for (const [place, text] of Object.entries(shown)) {
    assert.ok(text.length > 100, `${place} is empty`)
    for (const [value, operation] of values) {
      assert.ok(!text.includes(value), `${place} shows a secret of ${operation}: ${value}`)
    }
  }
})
