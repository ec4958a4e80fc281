import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldText, usesColor } from './output.ts'
import { barText } from './progress.ts'
import { formatRecord, formatTable } from './table.ts'

const plain = { color: false, width: undefined }

describe('a table', () => {
  test('has what is telling first, and leaves out what is empty in all rows', () => {
    const rows = [
      { Index: 0, Tags: ['a', 'b'], Name: 'web', ID: '1', Icon: null, Provider: { Class: 'sim' } },
      { Index: 1, Tags: [], Name: '日本', ID: '22', Icon: null, Provider: { Class: 'sim' } },
    ]
    assert.equal(
      formatTable(rows, plain),
      ['ID  Name  Tags  Provider.Class', '1   web   a, b  sim', '22  日本        sim', ''].join(
        '\n',
      ),
    )
  })

  test('shows as many columns as the terminal has room for', () => {
    const rows = [{ ID: '1234567890', Name: 'abcdefghij', Other: 'x' }]
    assert.equal(
      formatTable(rows, { color: false, width: 23 }),
      'ID          Name\n1234567890  abcdefghij\n',
    )
  })

  test('obeys no control character of a name', () => {
    const table = formatTable([{ Name: 'a\u001b[31mb\nc\u0007\u202ed' }], plain)
    assert.equal(table, 'Name\na [31mb c d\n')
  })

  test('says when there is nothing', () => {
    assert.equal(formatTable([], plain), 'None.\n')
  })

  test('has a bold head only where colours are wanted', () => {
    const table = formatTable([{ ID: '1' }], { ...plain, color: true })
    assert.equal(table, '\u001b[1mID\u001b[22m\n1\n')
  })
})

test('a record has a line for each member, nested ones by their path', () => {
  const lines = ['a        1', 'b.c      true, ', 'b.d.0.e  x', '']
  const value = { a: 1, b: { c: [true, null], d: [{ e: 'x' }] } }
  assert.equal(formatRecord(value, false), lines.join('\n'))
  assert.equal(formatRecord({}, false), 'Done.\n')
})

describe('--query', () => {
  const data = { a: { b: ['x', { c: 1 }] } }

  test('gives a text as it is and the rest as JSON', () => {
    assert.equal(fieldText(data, 'a.b.0'), 'x')
    assert.equal(fieldText(data, 'a.b.1'), '{"c":1}')
    assert.equal(fieldText(data, 'a.b.length'), '2')
  })

  test('says what there is when the field is not', () => {
    assert.throws(() => fieldText(data, 'z.y'), {
      message: 'The answer has no z.y.',
      hint: 'It has: a.',
    })
  })
})

test('colours are for a terminal that wants them', (t) => {
  const { NO_COLOR, TERM } = process.env
  t.after(() => Object.assign(process.env, { NO_COLOR: NO_COLOR ?? '', TERM: TERM ?? '' }))
  Object.assign(process.env, { NO_COLOR: '', TERM: 'xterm' })
  assert.equal(usesColor({ isTTY: true }), true)
  assert.equal(usesColor({}), false)
  process.env.NO_COLOR = '1'
  assert.equal(usesColor({ isTTY: true }), false)
})

test('a bar tells the part and the size', () => {
  assert.equal(barText(512_000, 1_024_000), '[############............] 50% of 1.0 MB')
  assert.equal(barText(0, 0), '[########################] 100% of 0 B')
  assert.equal(barText(1500, undefined), '1.5 kB')
})
