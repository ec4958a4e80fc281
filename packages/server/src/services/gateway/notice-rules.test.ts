import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseId } from '../../kernel/ids.ts'
import { noticeMail } from './notice-mail-rules.ts'
import { MAIL_ATTEMPTS_MAX, nextMailAttempt } from './notice-rules.ts'

const accountId = parseId<'account'>('900000000001')
const gatewayId = parseId<'gateway'>('910000000001')
if (accountId === undefined || gatewayId === undefined) throw new Error('These are ids.')
const NOTICE = {
  ...{ accountId, gatewayId, gatewayName: 'gate' },
  ...{ month: '202604', quotaMb: 12_000, usedBytes: 12_345_678_901 },
}

test('nextMailAttempt waits twice as long each time, an hour at most, and a day in all', () => {
  const now = new Date(0)
  const waits = Array.from({ length: MAIL_ATTEMPTS_MAX }, (_, index) =>
    nextMailAttempt(index + 1, now)?.getTime(),
  )
  assert.deepEqual(
    waits.slice(0, 9).map((wait) => (wait ?? 0) / 1000),
    [30, 60, 120, 240, 480, 960, 1920, 3600, 3600],
  )
  assert.equal(waits.at(-1), undefined)
  const hours = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0) / 3_600_000
  assert.ok(hours > 22 && hours < 24, String(hours))
})

describe('noticeMail', () => {
  test('says which gateway, in which month, how much, in both languages', () => {
    const en = noticeMail(NOTICE, 'en')
    assert.equal(en.subject, 'Mobile gateway gate has passed its traffic quota')
    assert.match(en.text, /^Gateway: gate\nID: 910000000001\nMonth: 2026-04\nQuota: 12,000 MB\n/m)
    assert.match(en.text, /^Traffic so far: 12,345 MB$/m)
    const ja = noticeMail(NOTICE, 'ja')
    assert.equal(ja.subject, 'モバイルゲートウェイ gate の通信量が上限を超えました')
    assert.match(ja.text, /^上限: 12,000 MB\n現在の通信量: 12,345 MB$/m)
    assert.match(ja.html, /<html lang="ja">/)
  })

  test('names a gateway without a name by its id', () => {
    const { subject } = noticeMail({ ...NOTICE, gatewayName: '' }, 'en')
    assert.equal(subject, 'Mobile gateway 910000000001 has passed its traffic quota')
  })

  test('keeps a hostile name to one line, short in the subject, and out of the markup', () => {
    const gatewayName = `a\r\nBcc: x@example.jp\u2028\u202e<img src="x" onerror='y'>&${'𝒳'.repeat(200)}`
    const { subject, text, html } = noticeMail({ ...NOTICE, gatewayName }, 'en')
    assert.doesNotMatch(subject, /[\r\n\u2028\u202e]/)
    assert.ok(subject.isWellFormed())
    assert.ok([...subject].length < 120)
    assert.match(text, /^Gateway: a Bcc: x@example\.jp <img/m)
    assert.match(html, /&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;/)
    assert.doesNotMatch(html, /<img/)
  })
})
