import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEPTH_MAX, textProblem } from './text-check.ts'

describe('textProblem', () => {
  test('finds U+0000 and half a character wherever they are, and names the place', () => {
    const cases: [unknown, string, RegExp][] = [
      ['a\0', '', /U\+0000/],
      [{ a: [{ b: '\0' }] }, 'a.0.b', /U\+0000/],
      [{ a: { 'b\0': 1 } }, 'a', /U\+0000/],
      [{ a: 'x\ud800' }, 'a', /half a character/],
      [{ a: { 'x\udc00': 1 } }, 'a', /half a character/],
    ]
    for (const [value, path, message] of cases) {
      const problem = textProblem(value)
      assert.equal(problem?.path.join('.'), path)
      assert.match(problem?.text.en ?? '', message)
      assert.notEqual(problem?.text.ja, problem?.text.en)
    }
  })

  test('leaves alone what only looks like one, and every other character', () => {
    for (const value of ['\\u0000', '\\ud800', '\u{20bb7}', '\u0001\n\u007f', null, 0, false, []]) {
      assert.equal(textProblem({ a: [value] }), undefined)
    }
  })

  test('refuses what is nested one level too deep, and what contains itself', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])
    assert.equal(textProblem(nested(DEPTH_MAX)), undefined)
    assert.match(textProblem(nested(DEPTH_MAX + 1))?.text.en ?? '', /nested too deeply/)
    const circle: unknown[] = []
    circle.push(circle)
    assert.match(textProblem(circle)?.text.en ?? '', /nested too deeply/)
  })
})
