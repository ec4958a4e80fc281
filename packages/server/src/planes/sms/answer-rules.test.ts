import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Submission } from '../../services/sms/public.ts'
import { httpMeaning, kannelMeaning, referenceIn, throttled } from './answer-rules.ts'
import { kannelParameters } from './kannel.ts'

describe('the answer of a gateway', () => {
  test('of Kannel is accepted by 202, throttled by 503, refused by 4xx, else not known', () => {
    const meanings = [202, 503, 400, 403, 404, 429, 200, 302, 500, 502].map(kannelMeaning)
    const refused = Array.from({ length: 4 }, () => 'refused')
    const unknown = Array.from({ length: 4 }, () => undefined)
    assert.deepEqual(meanings, ['accepted', 'throttled', ...refused, ...unknown])
  })

  test('by HTTP is accepted by 2xx, throttled by 429 and 503, refused by 4xx, else not known', () => {
    const meanings = [200, 202, 204, 429, 503, 400, 401, 404, 302, 500, 504].map(httpMeaning)
    assert.deepEqual(meanings, [
      ...['accepted', 'accepted', 'accepted', 'throttled', 'throttled'],
      ...['refused', 'refused', 'refused', undefined, undefined, undefined],
    ])
  })

  test('has a reference that is a text of 1 to 255 characters', () => {
    const of = (text: string) => referenceIn({ status: 200, headers: {}, text })
    assert.equal(of('{"reference":"r-1","more":1}'), 'r-1')
    for (const text of ['', 'no', 'null', '{}', '{"reference":1}', '{"reference":""}']) {
      assert.equal(of(text), undefined, text)
    }
    assert.equal(of(JSON.stringify({ reference: 'x'.repeat(256) })), undefined)
    assert.equal(of(JSON.stringify({ reference: 'a\0b' })), undefined)
  })

  test('that throttles is followed by Retry-After, else by 5 seconds that double to a minute', () => {
    const seconds = (retryCount: number, headers = {}) => {
      const answer = throttled(retryCount, headers)
      return answer.answer === 'throttled' ? answer.retryAfterSeconds : undefined
    }
    assert.deepEqual(
      [0, 1, 2, 3, 4, 50].map((count) => seconds(count)),
      [5, 10, 20, 40, 60, 60],
    )
    assert.equal(seconds(0, { 'retry-after': '90' }), 90)
    assert.equal(seconds(3, { 'retry-after': '0' }), 1)
    assert.equal(seconds(0, { 'retry-after': '999999999' }), 86_400)
    const date = 'Wed, 01 Apr 2026 00:00:00 GMT'
    assert.equal(seconds(0, { 'retry-after': 'Wed, 01 Apr 2026 00:00:30 GMT', date }), 30)
    assert.equal(seconds(0, { 'retry-after': 'Tue, 31 Mar 2026 00:00:00 GMT', date }), 1)
    assert.equal(seconds(1, { 'retry-after': 'soon' }), 10)
  })
})

describe('what Kannel is asked for', () => {
  const now = new Date('2026-04-01T00:00:00Z')
  const message: Submission = {
    // The type of ids is the slice's own.
    messageId: '0'.repeat(32) as Submission['messageId'],
    ...{ destination: '819012345678', sender: 'Acme', text: 'Your Acme code is 1.' },
    ...{ encoding: 'GSM 7-bit', segments: 1, retryCount: 0 },
    validUntil: new Date('2026-04-01T00:09:30Z'),
  }

  test('has the text in UTF-8, no source address, and the validity in whole minutes', () => {
    const { text, destination: to } = message
    assert.deepEqual(kannelParameters(message, now), {
      ...{ to, text, charset: 'UTF-8', validity: '10' },
    })
    const late = kannelParameters(message, new Date('2026-04-01T00:09:29.999Z'))
    assert.equal(late.validity, '1')
  })

  test('is UCS-2 for what is not GSM 7-bit, and for a text with a Web OTP line', () => {
    const coding = (more: Partial<Submission>) =>
      kannelParameters({ ...message, ...more }, now).coding
    assert.equal(coding({}), undefined)
    assert.equal(coding({ encoding: 'UCS-2', text: 'コード' }), '2')
    assert.equal(coding({ text: 'Your code is 1.\n@example.jp #1' }), '2')
  })
})
