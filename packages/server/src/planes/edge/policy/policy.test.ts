/** The caching policy, section by section. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isNotModified, isPreconditionFailed, isRangeOf } from './conditional.ts'
import { parseDate } from './dates.ts'
import { directivesOf, parseDirectives } from './directives.ts'
import { fieldValue, hopByHop } from './fields.ts'
import { invalidated } from './invalidation.ts'
import { isFromStart, rangeOf } from './ranges.ts'
import { forwardStatus, hitStatus, proxyStatus } from './status-fields.ts'
import { reasonNotToStore, storedFields } from './storing.ts'
import { parseDictionary } from './structured.ts'
import { conditionOf, freshened, isSameByHead } from './validation.ts'
import { variantOf, varyNames } from './vary.ts'

const NOW = Date.UTC(2026, 3, 1)
const httpDate = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString()

describe('storing (RFC 9111, section 3)', () => {
  const reason = (fields: string[], { status = 200, asked = {}, ttl = -1, method = 'GET' } = {}) =>
    reasonNotToStore({ method, fields: asked }, { status, fields }, ttl, NOW)

  test('stores what has a lifetime, and what the site has one for', () => {
    assert.equal(reason(['cache-control', 'max-age=1']), undefined)
    assert.equal(reason(['expires', 'nonsense']), undefined)
    assert.equal(reason([]), 'no lifetime')
    assert.equal(reason([], { ttl: 0 }), undefined)
    assert.match(String(reason([], { ttl: 60, status: 500 })), /500/)
    assert.equal(reason(['cache-control', 'max-age=1'], { status: 500 }), undefined)
  })

  test('does not store what is for one person or not for caches', () => {
    assert.equal(reason(['cache-control', 'max-age=1, private']), 'private')
    assert.equal(reason(['cache-control', 'No-Store, max-age=1']), 'no-store')
    assert.equal(reason(['cache-control', 'max-age=1', 'set-cookie', 'a=b']), 'Set-Cookie')
    assert.equal(reason(['cache-control', 'max-age=1', 'vary', 'a, *']), 'Vary: *')
    assert.match(String(reason(['cache-control', 'max-age=1'], { status: 206 })), /206/)
    assert.match(String(reason(['cache-control', 'max-age=1'], { method: 'POST' })), /method/)
  })

  test('stores answers to Authorization only where they are for all (section 3.5)', () => {
    const asked = { authorization: 'Basic x' }
    assert.equal(reason(['cache-control', 'max-age=1'], { asked }), 'Authorization')
    for (const word of ['public', 'must-revalidate', 's-maxage=1']) {
      assert.equal(reason(['cache-control', `max-age=1, ${word}`], { asked }), undefined)
    }
  })

  test('stores an unknown status unless it must be understood (section 5.2.2.3)', () => {
    const control = 'max-age=1, must-understand, no-store'
    assert.equal(reason(['cache-control', 'max-age=1'], { status: 299 }), undefined)
    assert.equal(reason(['cache-control', control], { status: 299 }), 'the status is unknown')
    assert.equal(reason(['cache-control', control], { status: 200 }), undefined)
  })

  test('leaves out what is of the connection, and Age (section 3.1)', () => {
    const fields = ['connection', 'a, close', 'a', '1', 'b', '2', 'keep-alive', 'x', 'age', '1']
    assert.deepEqual(storedFields(fields), ['b', '2'])
    assert.equal(hopByHop(undefined)('transfer-encoding'), true)
  })
})

describe('fields (RFC 9111, section 5)', () => {
  test('reads directives in any case, with quotes, the first of each', () => {
    const read = parseDirectives('MAX-age=1, a="x, max-age=2", max-age=3,, private="b", c')
    assert.deepEqual(
      [...read],
      [
        ['max-age', '1'],
        ['a', 'x, max-age=2'],
        ['private', 'b'],
        ['c', ''],
      ],
    )
    assert.deepEqual([...parseDirectives('a="b')], [['a', '"b']])
  })

  test('takes CDN-Cache-Control in the place of the others where it is valid (RFC 9213)', () => {
    const read = (targeted: string) =>
      directivesOf(['cache-control', 'no-store', 'cdn-cache-control', targeted])
    assert.deepEqual([...read('max-age=60;x, private').directives.keys()], ['max-age', 'private'])
    for (const invalid of ['', 'MAX-AGE=1', 'max-age=1,', 'max-age =1', 'a=@']) {
      assert.equal(read(invalid).isTargeted, false, invalid)
    }
  })

  test('reads dictionaries as RFC 9651 has them', () => {
    const read = parseDictionary('a=1, b="x\\"y", c, d=?0, e=tok;p=1;q, f=1.5, a=2')
    assert.deepEqual(Object.fromEntries(read ?? []), {
      a: '2',
      b: 'x"y',
      c: '',
      e: 'tok',
      f: '1.5',
    })
  })

  test('never fails on a text, and reads dates in three forms and no others', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseDirectives(text)
        parseDictionary(text)
        varyNames(['vary', text])
        rangeOf(text, 10)
      }),
    )
    const date = Date.UTC(1994, 10, 6, 8, 49, 37)
    assert.equal(parseDate('Sun, 06 Nov 1994 08:49:37 GMT', NOW), date)
    assert.equal(parseDate('Sunday, 06-Nov-94 08:49:37 GMT', NOW), date)
    assert.equal(parseDate('Sun Nov  6 08:49:37 1994', NOW), date)
    for (const text of ['0', '-1', '1994-11-06', 'Sun, 06 Nov 1994 08:49:37 CET', '']) {
      assert.equal(parseDate(text, NOW), undefined, text)
    }
    assert.equal(fieldValue(['a', '1', 'b', '2', 'a', '3'], 'a'), '1, 3')
  })
})

describe('selection by Vary (RFC 9111, section 4.1)', () => {
  test('compares what fields mean: whitespace, and order and case of languages do not count', () => {
    const names = varyNames(['vary', 'Accept-Language, Foo', 'vary', 'foo'])
    assert.deepEqual(names, ['accept-language', 'foo'])
    const variant = variantOf(names, { 'accept-language': 'en, de', foo: '1, 2' })
    assert.equal(variantOf(names, { 'accept-language': 'DE,en', foo: '1,2' }), variant)
    assert.notEqual(variantOf(names, { 'accept-language': 'en, de', foo: '12' }), variant)
    assert.notEqual(variantOf(['foo'], {}), variantOf(['foo'], { foo: '' }))
  })
})

describe('validation (RFC 9111, section 4.3)', () => {
  const stored = ['etag', '"a"', 'last-modified', httpDate(-60), 'x', '1', 'content-length', '3']

  test('asks with both validators, and with none where there is none (section 4.3.1)', () => {
    assert.deepEqual(conditionOf(stored), {
      'if-none-match': '"a"',
      'if-modified-since': httpDate(-60),
    })
    assert.deepEqual(conditionOf(['x', '1']), {})
  })

  test('answers the conditions of clients from what is stored (section 4.3.2)', () => {
    const is = (asked: object) => isNotModified({ ...asked }, stored, NOW)
    assert.equal(is({ 'if-none-match': '"b", W/"a"' }), true)
    assert.equal(is({ 'if-none-match': '*' }), true)
    assert.equal(is({ 'if-none-match': '"b"', 'if-modified-since': httpDate(0) }), false)
    assert.equal(is({ 'if-modified-since': httpDate(-60) }), true)
    assert.equal(is({ 'if-modified-since': httpDate(-61) }), false)
    assert.equal(is({ 'if-modified-since': 'x' }), false)
    assert.equal(isPreconditionFailed({ 'if-match': 'W/"a"' }, stored, NOW), true)
    assert.equal(isPreconditionFailed({ 'if-match': '"a"' }, stored, NOW), false)
    assert.equal(isPreconditionFailed({ 'if-unmodified-since': httpDate(-90) }, stored, NOW), true)
  })

  test('takes over the fields of a 304, but not those of the body nor cookies (section 4.3.4)', () => {
    const update = ['x', '2', 'y', '3', 'content-length', '9', 'set-cookie', 'a', 'etag', '"z"']
    const fields = freshened(stored, [...update, 'connection', 'y'])
    assert.deepEqual([fieldValue(fields, 'x'), fieldValue(fields, 'y')], ['2', undefined])
    assert.equal(fieldValue(fields, 'content-length'), '3')
    assert.equal(fieldValue(fields, 'set-cookie'), undefined)
    assert.equal(fieldValue(fields, 'etag'), '"a"')
  })

  test('knows by HEAD whether it is the same (section 4.3.5)', () => {
    assert.equal(isSameByHead(stored, ['etag', '"a"', 'content-length', '3']), true)
    assert.equal(isSameByHead(stored, ['content-length', '4']), false)
  })
})

describe('invalidation (RFC 9111, section 4.4)', () => {
  const ask = (method: string, status: number, fields: string[] = []) =>
    invalidated({ method, host: 'a.jp', target: '/x/y?z' }, { status, fields })

  test('is of the URL, and of those that the answer names on the same host', () => {
    assert.deepEqual(ask('GET', 200), [])
    assert.deepEqual(ask('DELETE', 204), ['/x/y?z'])
    assert.deepEqual(ask('POST', 500), [])
    const named = ['location', 'n?m', 'content-location', 'http://b.jp/other']
    assert.deepEqual(ask('M-SEARCH', 303, named), ['/x/y?z', '/x/n?m'])
  })
})

describe('ranges (RFC 9110, section 14)', () => {
  test('are one range of bytes, or the whole', () => {
    assert.deepEqual(rangeOf('bytes=0-1', 10), { start: 0, end: 2 })
    assert.deepEqual(rangeOf('bytes=5-', 10), { start: 5, end: 10 })
    assert.deepEqual(rangeOf('bytes=-3', 10), { start: 7, end: 10 })
    assert.deepEqual(rangeOf('bytes=-30', 10), { start: 0, end: 10 })
    assert.equal(rangeOf('bytes=10-', 10), 'unsatisfiable')
    assert.equal(rangeOf('bytes=-0', 10), 'unsatisfiable')
    for (const text of ['bytes=3-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b', undefined]) {
      assert.equal(rangeOf(text, 10), undefined)
    }
    assert.deepEqual([isFromStart('bytes=0-'), isFromStart('bytes=1-')], [true, false])
  })

  test('hold only for the response that If-Range means', () => {
    const fields = ['etag', '"a"', 'last-modified', httpDate(0)]
    assert.equal(isRangeOf(undefined, fields, NOW), true)
    assert.equal(isRangeOf('"a"', fields, NOW), true)
    assert.equal(isRangeOf('W/"a"', ['etag', 'W/"a"'], NOW), false)
    assert.equal(isRangeOf(httpDate(0), fields, NOW), true)
    assert.equal(isRangeOf(httpDate(1), fields, NOW), false)
  })
})

test('the edge says what it did as RFC 9211 and RFC 9209 have it', () => {
  assert.equal(hitStatus(59.5), 'kumoi; hit; ttl=59')
  const forwarded = { forward: 'stale', forwardStatus: 304, isStored: true, isCollapsed: true }
  assert.equal(
    forwardStatus({ ...forwarded, forward: 'stale' }),
    'kumoi; fwd=stale; fwd-status=304; stored; collapsed',
  )
  assert.equal(proxyStatus('dns_error'), 'kumoi; error=dns_error')
})
