import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findings, patternsOf, slowness } from './regex.ts'

describe('the check of regular expressions', () => {
  test('finds what takes quadratic or exponential time, and nothing in what is linear', () => {
    assert.match(slowness('[<>=!~]+$', '') ?? '', /2nd degree polynomial/)
    assert.match(slowness('^(a+)+$', '') ?? '', /exponential/)
    assert.equal(slowness('^[a-z]+[0-9]*$', ''), undefined)
  })

  test('names the file and the line, in a literal, in a schema and in a constant', () => {
    const text = [
      "export const A_PATTERN = '^(a|a)*$'",
      "const schema = Type.String({ pattern: '^(b+)+$' })",
      'const trimmed = text.replace(/\\s+$/, "")',
      "const made = new RegExp('(c*)*d')",
    ].join('\n')
    const found = findings('a.ts', text, {})
    assert.deepEqual(
      found.map((line) => line.split(':', 2).join(':')),
      ['a.ts:1', 'a.ts:2', 'a.ts:3', 'a.ts:4'],
    )
  })

  test('finds a pattern that is built while the program runs, unless its file is listed', () => {
    const text = 'const found = new RegExp(name + other)\nconst other = RegExp(name)'
    assert.equal(findings('a.ts', text, {}).length, 2)
    assert.deepEqual(findings('a.ts', text, { 'a.ts': 'why' }), [])
  })

  test('takes a constant by its name for one that is read where it is declared', () => {
    const { patterns, built } = patternsOf(
      'a.ts',
      'new RegExp(ID_PATTERN)\nconst x = { pattern: NO_NUL }',
    )
    assert.deepEqual([patterns, built], [[], []])
  })
})
