/** Values that servers have failed on. */

/** Of the size that patterns with a quadratic step need seconds for. */
const LONG = 16_000

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\u{1f600}',
  '\u202e\u0000',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%',
  '%00',
  '\\',
  '-1',
  '9'.repeat(40),
  '1e999',
  '2026-02-30T00:00:00+09:00',
  '9999-12-31T23:59:59.999999999+23:59',
  '0000-01-01T00:00:00Z',
  '300.300.300.300',
  '10.0.0.0/33',
  'http://[::1',
  'xn--a',
  'a'.repeat(LONG),
  '<'.repeat(LONG),
  '"'.repeat(LONG),
  ' '.repeat(LONG),
  '.'.repeat(LONG),
  'a,'.repeat(LONG / 2),
  'あ'.repeat(300),
]

export const HOSTILE_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
]

export function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

export const HOSTILE_VALUES: readonly unknown[] = [
  ...HOSTILE_TEXTS,
  ...HOSTILE_NUMBERS,
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { '\0': 1 },
  JSON.parse('{"__proto__": {"a": 1}}'),
  nested(60),
  nested(200),
  Array.from({ length: 2000 }, () => 'x'),
]

/** Bodies that are no JSON, or not the JSON that was wanted. */
export const HOSTILE_BODIES: readonly string[] = [
  '',
  ' ',
  'null',
  '0',
  '"x"',
  '[]',
  '{}',
  '{',
  '{"a":',
  '{"a":1}}',
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"a":1e999}',
  '{"a":9007199254740993}',
]

/** They take a hundred times as long as the others, and are sent seldom. */
export const HUGE_BODIES: readonly string[] = [
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"a":"${'a'.repeat(200_000)}"}`,
]

export const HOSTILE_QUERIES: readonly string[] = [
  '%',
  '%00',
  '%ff',
  '{',
  '%7B%22Filter%22%3A%7B',
  '{"Filter":{"Name":"\\u0000"}}',
  '{"From":1e21}',
  '{"From":9223372036854775808}',
  '{"Count":-1}',
  '{"Sort":["-"]}',
  'Sort=%00',
  'From=9223372036854775808',
  'Count=1.5',
  '='.repeat(8000),
  '&'.repeat(8000),
  `Filter=${'%7B'.repeat(2000)}`,
  `{"Include":["${'a.'.repeat(480)}"]}`,
]

/** By the name of the header. Node sends no header with a control character in it. */
export const HOSTILE_HEADERS: readonly (readonly [string, string])[] = [
  ['authorization', 'Basic'],
  ['authorization', 'Basic AAAA'],
  ['authorization', `Basic ${Buffer.from('a\0b:c').toString('base64')}`],
  ['authorization', `Basic ${'A'.repeat(8000)}`],
  ['authorization', `Basic ${' '.repeat(8000)}x`],
  ['authorization', `Digest ${'a'.repeat(8000)}`],
  ['authorization', `Digest ${'a="\\'.repeat(2000)}`],
  ['authorization', 'Digest username="\u00ff", uri="x"'],
  ['authorization', `Bearer ${'x'.repeat(8000)}`],
  ['authorization', `Bearer${' '.repeat(8000)}`],
  ['accept-language', `ja;q=${'9'.repeat(8000)}`],
  ['accept-language', 'ja,'.repeat(2500)],
  ['x-request-id', '\u00ff'.repeat(100)],
  ['x-service-api-beautify', '1'],
  ['x-bigint-as-int', '1'],
  ['x-forwarded-for', '1,'.repeat(4000)],
  ['content-type', 'text/plain'],
  ['content-type', 'multipart/form-data; boundary='],
  ['content-type', `multipart/form-data; boundary=${'-'.repeat(70)}`],
  ['content-type', ';'.repeat(8000)],
  ['range', 'bytes=99999999999999999999-'],
  ['range', `bytes=${'0'.repeat(8000)}-`],
  ['if-range', '"x"'],
  ['webhook-id', '\u00ff'],
  ['webhook-timestamp', '1e21'],
  ['last-event-id', '9'.repeat(30)],
  ['origin', 'null'],
  ['expect', 'nothing'],
]
