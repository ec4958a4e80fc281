import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { flagsAfterVerb } from './global-flags.ts'
import { NOUN_SUMMARIES } from './noun-summaries.ts'
import { nouns } from './nouns.ts'

const moved = (line: string) => flagsAfterVerb(line.split(' ')).join(' ')

describe('flags of every command', () => {
  test('may stand before the noun and before the verb', () => {
    assert.equal(moved('--url U sim --json list x --all'), 'sim list --url U --json x --all')
    assert.equal(moved('--output=yaml sim list'), 'sim list --output=yaml')
    assert.equal(moved('-o csv sim list'), 'sim list -o csv')
    assert.equal(moved('sim list --json'), 'sim list --json')
  })

  test('leave what a command passes on as it is', () => {
    assert.equal(moved('--data D serve --port 0'), 'serve --data D --port 0')
    assert.equal(moved('exec -- kumoi --json sim list'), 'exec -- kumoi --json sim list')
  })

  test('that nobody knows are left to the parser', () => {
    assert.equal(moved('--nothing sim list'), '--nothing sim list')
    assert.equal(moved('--version'), '--version')
    assert.equal(moved('sim --help'), 'sim --help')
    assert.equal(moved('--url'), '--url')
  })
})

test('every noun has a line that says what it is about', () => {
  assert.deepEqual(Object.keys(NOUN_SUMMARIES).sort(), nouns())
})
