import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { failureBody, languageOf, statusOf } from './failure.ts'

describe('failureBody', () => {
  test('has the five fields of the interface and is_ok', () => {
    const body = failureBody({
      code: 'conflict',
      cause: { en: 'SIM 1 is already activated.', ja: 'SIM 1 は有効です。' },
      serial: 'f'.repeat(32),
      language: 'en',
    })
    assert.deepEqual(body, {
      is_fatal: true,
      serial: 'f'.repeat(32),
      status: '409 Conflict',
      error_code: 'conflict',
      error_msg: 'The state of the target does not allow this.\nSIM 1 is already activated.',
      is_ok: false,
    })
  })

  test('has a status for codes that share one', () => {
    assert.deepEqual(
      (['still_creating', 'original_hash_mismatch', 'too_many_request'] as const).map(statusOf),
      [409, 409, 429],
    )
  })
})

describe('languageOf', () => {
  test('is Japanese when that is preferred, else English', () => {
    const cases: [string | undefined, string][] = [
      [undefined, 'en'],
      ['', 'en'],
      ['ja', 'ja'],
      ['ja-JP,ja;q=0.9,en;q=0.8', 'ja'],
      ['en-US,en;q=0.9,ja;q=0.8', 'en'],
      ['fr, ja;q=0.5', 'ja'],
      ['*', 'en'],
      ['ja;q=0', 'en'],
    ]
    for (const [header, language] of cases) assert.equal(languageOf(header), language, header)
  })
})
