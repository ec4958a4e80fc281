import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatChart } from './chart.ts'
import { formatCsv } from './csv.ts'
import { fieldText, listIn, usesColor } from './output.ts'
import { barText } from './progress.ts'
import { rowsOf } from './rows.ts'
import { formatRecord, formatTable } from './table.ts'
import { timeText } from './times.ts'

const plain = { color: false, isUtc: true, width: undefined }
const tableOf = (list: object[], options = plain) =>
  formatTable(rowsOf(list, undefined, undefined), options)

describe('a table', () => {
  test('has what is telling first, and leaves out what is empty in all rows', () => {
    const rows = [
      { Index: 0, Tags: ['a', 'b'], Name: 'web', ID: '1', Icon: null, Provider: { Class: 'sim' } },
      { Index: 1, Tags: [], Name: '日本', ID: '22', Icon: null, Provider: { Class: 'sim' } },
    ]
    assert.equal(
      tableOf(rows),
      ['ID  Name  Tags  Provider.Class', '1   web   a, b  sim', '22  日本        sim', ''].join(
        '\n',
      ),
    )
  })

  test('shows as many columns as the terminal has room for', () => {
    const rows = [{ ID: '1234567890', Name: 'abcdefghij', Other: 'x' }]
    assert.equal(
      formatTable(rowsOf(rows, undefined, undefined), { ...plain, width: 23 }),
      'ID          Name\n1234567890  abcdefghij\n',
    )
  })

  test('obeys no control character of a name', () => {
    const table = tableOf([{ Name: 'a\u001b[31mb\nc\u0007\u202ed' }])
    assert.equal(table, 'Name\na [31mb c d\n')
  })

  test('says when there is nothing', () => {
    assert.equal(tableOf([]), 'None.\n')
  })

  test('has a bold head only where colours are wanted', () => {
    const table = tableOf([{ ID: '1' }], { ...plain, color: true })
    assert.equal(table, '\u001b[1mID\u001b[22m\n1\n')
  })
})

test('a record has a line for each member, nested ones by their path', () => {
  const lines = ['a        1', 'b.c      true, ', 'b.d.0.e  x', '']
  const value = { a: 1, b: { c: [true, null], d: [{ e: 'x' }] } }
  assert.equal(formatRecord(value, plain), lines.join('\n'))
  assert.equal(formatRecord({}, plain), 'Done.\n')
})

describe('columns', () => {
  const list = [
    { ID: '1', Status: { ICCID: '89' }, CreatedAt: '2026-04-01T00:00:00+09:00' },
    { ID: '2', Status: { ICCID: '90' }, CreatedAt: '2026-04-02T00:00:00+09:00' },
  ]
  const view = [['Card', 'Status.ICCID']] as const

  test('are those of the view, unless others are asked for by title or path', () => {
    assert.deepEqual(rowsOf(list, view, undefined), { columns: ['Card'], cells: [['89'], ['90']] })
    assert.deepEqual(rowsOf(list, view, ['id', 'card']).cells[0], ['1', '89'])
    assert.deepEqual(rowsOf(list, view, ['status.iccid']).columns, ['Status.ICCID'])
  })

  test('that are not there are refused with those that are', () => {
    assert.throws(() => rowsOf(list, view, ['Nothing']), {
      message: 'There is no column Nothing.',
      hint: 'There are: Card, ID, Status.ICCID, CreatedAt.',
    })
    assert.deepEqual(rowsOf([], view, ['Nothing']), { columns: ['Nothing'], cells: [] })
  })

  test('that are asked for are all shown, however narrow the terminal is', () => {
    const rows = rowsOf(list, undefined, ['ID', 'Status.ICCID'])
    const narrow = { ...plain, width: 3 }
    assert.equal(formatTable(rows, narrow), 'ID\n1\n2\n')
    assert.match(formatTable(rows, narrow, true), /^ID {2}Status\.ICCID\n/)
  })

  test('show times in the zone of the reader, or in UTC', () => {
    assert.match(tableOf(list), /2026-03-31 15:00:00Z/)
    assert.equal(timeText('2026-04-01T00:00:00.5Z', true), '2026-04-01 00:00:00Z')
    const here = new Date('2026-04-01T00:00:00Z').getHours()
    assert.equal(Number(timeText('2026-04-01T00:00:00Z', false).slice(11, 13)), here)
    assert.equal(timeText('2026-04-01', true), '2026-04-01')
  })

  test('are quoted as CSV where they have to be', () => {
    const rows = { columns: ['a', 'b'], cells: [['x,y', 'say "z"']] }
    assert.equal(formatCsv(rows), 'a,b\r\n"x,y","say ""z"""\r\n')
  })
})

describe('a chart', () => {
  test('has a line for each value, the largest of those that share a place, and its span', () => {
    const data = {
      '2026-04-01T00:05:00Z': { UplinkBps: 2000, DownlinkBps: 0 },
      '2026-04-01T00:00:00Z': { UplinkBps: 0, DownlinkBps: 0 },
    }
    assert.equal(
      formatChart(data, true),
      [
        'UplinkBps    ▁█  most 2.0 k, last 2.0 k',
        'DownlinkBps  ▁▁  most 0, last 0',
        '             2026-04-01 00:00:00Z to 2026-04-01 00:05:00Z',
        '',
      ].join('\n'),
    )
  })

  test('is no wider than a terminal, and keeps a single peak', () => {
    const times = Array.from({ length: 288 }, (_, at) => new Date(at * 300_000).toISOString())
    const data = Object.fromEntries(times.map((time, at) => [time, { Bps: at === 100 ? 1 : 0 }]))
    const [line = ''] = (formatChart(data, true) ?? '').split('\n')
    assert.equal(line.match(/[▁█]+/)?.[0].length, 60)
    assert.equal(line.match(/█/g)?.length, 1)
  })

  test('is none where there is nothing', () => {
    assert.equal(formatChart({}, true), undefined)
  })
})

describe('the list of an answer', () => {
  const entries = [{ serial: 's' }]

  test('is found beside plain members, and beside null where there is no next page', () => {
    assert.equal(listIn(entries), entries)
    assert.equal(listIn({ entries, next: null }), entries)
    assert.equal(listIn({ ResponsedAt: '2026-04-01', entries, next: 7 }), entries)
  })

  test('is none where there are two, or another member is an object', () => {
    assert.equal(listIn({ entries, others: entries }), undefined)
    assert.equal(listIn({ entries, owner: { name: 'n' } }), undefined)
    assert.equal(listIn({ entries: ['plain'], next: null }), undefined)
    assert.equal(listIn(null), undefined)
  })

  test('is none in one record, which has an id', () => {
    const site = { ID: '1', CORSRules: [{ AllowsAllOrigins: true }], CertValidNotBefore: null }
    assert.equal(listIn(site), undefined)
    assert.equal(listIn({ messageId: 'm', doneAt: null, reports: entries }), undefined)
    assert.equal(listIn({ maintenance_id: 'm', affects: entries }), undefined)
    assert.equal(listIn({ paid: true, bills: entries }), entries)
  })
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
