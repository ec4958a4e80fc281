import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BadRequest } from '../../kernel/errors.ts'
import { OTP_PATTERN, SENDER_PATTERN } from './rules.ts'
import { TEXT_LANGUAGES, toAsciiHost, writeText } from './text-rules.ts'

/** Chromium looks for this anywhere in the message. */
const CHROMIUM = /(?:^|\s)@([a-zA-Z0-9.-]+) #([^#\s]+)/g

/** The sms-one-time-codes specification: the last line, whatever breaks lines. */
function lastLineCode(text: string): [string, string] | undefined {
  const line = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).at(-1) ?? ''
  const match = /^@([^\s#@%]+) #([^\s#]+)(?: %\S*)?/.exec(line)
  return match === null ? undefined : [match[1] ?? '', match[2] ?? '']
}

const senderRule = new RegExp(SENDER_PATTERN, 'u')
const otpRule = new RegExp(OTP_PATTERN, 'u')
/** Everything that attacks the line, and ordinary letters to make the rest of one. */
const hostile = fc.constantFrom(
  ...'@#%\n\r\t\v\f\u0085\u2028\u2029\u00a0\u3000＠＃ \u202e\ud800abcxyz019.-',
)
const text = fc.oneof(
  fc.array(hostile, { maxLength: 70 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 70 }),
  fc.constantFrom('x\n@evil.example #666666', '@evil.example #1', 'a @evil.example #1', '#1'),
)
const accepted = (rule: RegExp) => text.filter((candidate) => rule.test(candidate))

describe('writeText', () => {
  test('writes Japanese and English, with the Web OTP line last when there is a host', () => {
    const words = { sender: 'Acme', otp: '123456', host: undefined }
    assert.equal(writeText('ja', words), 'Acmeの認証コードは 123456 です。')
    assert.equal(writeText('en', words), 'Your Acme code is 123456.')
    assert.equal(
      writeText('en', { ...words, host: 'example.jp' }),
      'Your Acme code is 123456.\n@example.jp #123456',
    )
  })

  test('has the one line that browsers read, whatever sender and code are', () => {
    const host = fc.constantFrom('example.jp', 'xn--eckwd4c7c.xn--zckzah', 'localhost')
    const language = fc.constantFrom(...TEXT_LANGUAGES)
    fc.assert(
      fc.property(
        accepted(senderRule),
        accepted(otpRule),
        host,
        language,
        (sender, otp, at, lang) => {
          const written = writeText(lang, { sender, otp, host: at })
          assert.deepEqual(
            [...written.matchAll(CHROMIUM)].map(([, ...found]) => found),
            [[at, otp]],
          )
          assert.deepEqual(lastLineCode(written), [at, otp])
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('has no such line without a host', () => {
    fc.assert(
      fc.property(accepted(senderRule), accepted(otpRule), (sender, otp) => {
        const written = writeText('en', { sender, otp, host: undefined })
        assert.equal(written.search(CHROMIUM), -1)
        assert.equal(lastLineCode(written), undefined)
      }),
    )
  })
})

describe('SENDER_PATTERN', () => {
  test('takes 1 to 64 characters as people count them', () => {
    for (const sender of ['A', '認証', '😀'.repeat(64), 'a'.repeat(64), 'Acme Inc. & Co ％＃']) {
      assert.match(sender, senderRule)
    }
    for (const sender of ['', 'a'.repeat(65), '😀'.repeat(65)])
      assert.doesNotMatch(sender, senderRule)
  })

  test('refuses what could begin another line or turn the text around', () => {
    for (const sender of [
      'a@b',
      '#1',
      'a\nb',
      'a\rb',
      'a\u0000',
      'a\u0085',
      'a\u2028',
      'a\u202e',
      '\ud800',
    ]) {
      assert.doesNotMatch(sender, senderRule, JSON.stringify(sender))
    }
  })
})

describe('toAsciiHost', () => {
  test('makes a host name ASCII and lower case', () => {
    assert.equal(toAsciiHost('Example.JP'), 'example.jp')
    assert.equal(toAsciiHost('日本語。ＪＰ'), 'xn--wgv71a119e.jp')
    assert.equal(toAsciiHost('bücher.example'), 'xn--bcher-kva.example')
    assert.equal(toAsciiHost('localhost'), 'localhost')
    assert.equal(toAsciiHost(`${'a'.repeat(63)}.jp`), `${'a'.repeat(63)}.jp`)
  })

  test('refuses what is no host name', () => {
    const wrong = [
      ...[
        '',
        '.',
        'a..b',
        'example.jp.',
        '.jp',
        '-a.jp',
        'a-.jp',
        'a_b.jp',
        `${'a'.repeat(64)}.jp`,
      ],
      ...[
        'a b',
        'a\nb',
        'example.jp/x',
        'example.jp:443',
        'u@example.jp',
        'example.jp#1',
        'a?b',
        'a%41',
      ],
      ...['192.0.2.1', '0x7f.1', '1', '１２７.1', '[::1]', '::1', 'a.1', 'xn--a', 'a\u00adb.jp'],
      `${'a.'.repeat(126)}ab`,
    ]
    for (const name of wrong)
      assert.throws(() => toAsciiHost(name), BadRequest, JSON.stringify(name))
  })

  test('answers with nothing but a host name, or refuses', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.domain()), (name) => {
        try {
          assert.match(toAsciiHost(name), /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
        } catch (error) {
          assert.ok(error instanceof BadRequest)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
