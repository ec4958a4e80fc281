import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { checkLines, type Link, linesOf } from './audit-chain.ts'

const ORIGIN: Link = { number: 0, hash: '0'.repeat(64) }

function trail(count: number, before = ORIGIN, operation = 'itemCreate'): string[] {
  const lines: string[] = []
  let { number, hash } = before
  for (let n = 0; n < count; n += 1) {
    number += 1
    const content = JSON.stringify({ number, previous: hash, operation })
    hash = createHash('sha256').update(content).digest('hex')
    lines.push(`${content.slice(0, -1)},"hash":"${hash}"}`)
  }
  return lines
}

const check = (lines: readonly string[], known?: Link) => checkLines(Readable.from(lines), known)
const problemOf = async (lines: readonly string[], known?: Link) =>
  (await check(lines, known)).problem

describe('an export of the audit trail', () => {
  const lines = trail(5)
  const [, second = ''] = lines

  test('that is whole is good, from its beginning or from later on', async () => {
    const { checked, last, problem } = await check(lines)
    assert.deepEqual([checked, last?.number, problem], [5, 5, undefined])
    assert.equal((await check(lines.slice(2))).checked, 3)
  })

  test('that has no entry is not good', async () => {
    assert.equal(await problemOf([]), 'The file has no entry.')
    assert.equal(await problemOf(['', '']), 'The file has no entry.')
    assert.equal(await problemOf([], { number: 5, hash: 'f'.repeat(64) }), 'Entry 5 is missing.')
  })

  test('is good whatever a caller has sent', async () => {
    const sent = trail(3, ORIGIN, 'a\u2028b\u2029c\u0085d\r\n')
    const file = Readable.from([sent.map((line) => `${line}\n`).join('')])
    assert.deepEqual(await checkLines(linesOf(file)), await check(sent))
    assert.equal(await problemOf(sent), undefined)
  })

  test('names the line that is missing, changed, swapped or no entry', async () => {
    assert.equal(await problemOf(lines.toSpliced(1, 1)), 'Entry 2 is missing.')
    const changed = lines.with(1, second.replace('itemCreate', 'itemDelete'))
    assert.equal(await problemOf(changed), 'Entry 2 was changed.')
    const resealed = [...lines.slice(0, 1), ...trail(1, { number: 1, hash: 'f'.repeat(64) })]
    assert.equal(await problemOf(resealed), 'Entry 2 was changed.')
    assert.equal(await problemOf(lines.toReversed()), 'Entry 6 is missing.')
    assert.equal(await problemOf(lines.with(2, '{}')), 'Line 3 is not an entry of an audit trail.')
  })

  test('that was made anew or cut off is found by what somebody has kept', async () => {
    const { last } = await check(lines)
    assert.ok(last !== undefined)
    assert.equal(await problemOf(lines, last), undefined)
    assert.equal(await problemOf(lines.slice(0, 4), last), 'Entry 5 is missing.')
    const forged = trail(5, { number: 0, hash: '1'.repeat(64) })
    assert.equal(await problemOf(forged, last), 'Entry 5 was changed.')
  })
})

describe('the lines of a file', () => {
  const linesIn = (...chunks: readonly string[]) =>
    Readable.from(linesOf(Readable.from(chunks))).toArray()

  test('end with a line feed, with or without a carriage return, and the last with the file', async () => {
    assert.deepEqual(await linesIn('a\nb\r\n\nc'), ['a', 'b', '', 'c'])
    assert.deepEqual(await linesIn('a\n'), ['a'])
    assert.deepEqual(await linesIn(), [])
  })

  test('do not end at the separators of Unicode, nor at a carriage return alone', async () => {
    const line = 'a\u2028b\u2029c\u0085d\u000be\rf'
    assert.deepEqual(await linesIn(`${line}\n${line}`), [line, line])
  })

  test('are whole when they come in several chunks', async () => {
    assert.deepEqual(await linesIn('a', 'b', 'c\nd', '\r', '\n', '\ne'), ['abc', 'd', '', 'e'])
  })
})
