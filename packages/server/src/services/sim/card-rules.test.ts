import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardOfRange, isPassCode } from './card-rules.ts'

const card = { iccid: '8981045000000000001', passCode: 'pass', imsis: [] }

test('a pass code is right when it is the same text, byte for byte', () => {
  assert.equal(isPassCode(card, 'pass'), true)
  for (const wrong of ['', 'pas', 'Pass', 'pass ', 'pass\0', 'ｐass']) {
    assert.equal(isPassCode(card, wrong), false, JSON.stringify(wrong))
  }
  assert.equal(isPassCode({ ...card, passCode: 'あ' }, 'あ'), true)
})

test('a card of a range has its number in its pass code, wherever the number is wanted', () => {
  const range = { iccidFrom: '8981045000000000001', iccidTo: '8981045000000000009' }
  const passCodeOf = (passCode: string) =>
    cardOfRange({ ...range, passCode }, '8981045000000000004').passCode
  assert.equal(passCodeOf('a{n}b{n}'), 'a3b3')
  assert.equal(passCodeOf('same'), 'same')
})
