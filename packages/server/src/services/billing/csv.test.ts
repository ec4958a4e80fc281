/** The CSV of a bill, read by a program that people open it with. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openBilling } from '../../testing/billing.ts'
import { engines } from '../../testing/engines.ts'
import { findSpreadsheet, openCsv } from '../../testing/spreadsheet.ts'
import { CSV_TITLES } from './csv-wire.ts'

const NAMES = [
  'plain',
  'with "quotes", commas; and \'apostrophes\'',
  'two\nlines',
  '=1+1',
  '=HYPERLINK("https://example.jp/","click")',
  '+81 90',
  '-1',
  '@SUM(A1:A9)',
  '\t=1+1',
  '＝1+1',
  'emoji 🧪👩‍👩‍👧 and <b>&amp;</b>',
  '日本語の名前',
  '001',
]
/** What a spreadsheet would compute comes after an apostrophe. */
const SHOWN = NAMES.map((name) => (/^[=+\-@＝\t]/.test(name) ? `'${name}` : name))

const spreadsheet = findSpreadsheet()

for (const engine of engines) {
  describe(`the CSV of a bill on ${engine.name}`, () => {
    test('has the 16 columns, all quoted, CRLF, quotes doubled', async (t) => {
      const { create, sim, days, bills, bill } = await openBilling(t, engine)
      const gateway = await create('say "hi"', {}, 'tk1a')
      const simId = await sim(1)
      await days(1)
      const [{ BillID } = { BillID: 0 }] = await bills()
      const { body } = await bill(`/billdetail/mem00001/${BillID}/csv`)
      assert.equal(CSV_TITLES.length, 16)
      assert.deepEqual([body.Count, body.Filename], [2, `bill-${BillID}.csv`])
      assert.equal(body.ResponsedAt, '2026-04-29T09:00:00+09:00')
      const common = `"${BillID}","2026/04","pending","mem00001","acme"`
      assert.equal(
        body.Body,
        [
          CSV_TITLES.map((title) => `"${title}"`).join(','),
          `"1","1",${common},"${gateway}","50062","モバイルゲートウェイ（tk1a）","21001","tk1a","55","say ""hi""","時間","15時間0分0秒"`,
          `"2","1",${common},"${simId}","50010","SIM 基本料","","","11","sim 1","時間","15時間0分0秒"`,
          '',
        ].join('\r\n'),
      )
    })
  })
}

if (spreadsheet !== undefined) describeSpreadsheet(spreadsheet)

function describeSpreadsheet(program: string): void {
  describe('a spreadsheet program', () => {
    test('opens the CSV of a bill with every name in its cell, and computes none of them', async (t) => {
      const [engine] = engines
      assert.ok(engine)
      const { create, days, bills, bill } = await openBilling(t, engine)
      const ids: string[] = []
      for (const name of NAMES) ids.push(await create(name))
      await days(1)
      const [{ BillID } = { BillID: 0 }] = await bills()
      const { body } = await bill(`/billdetail/mem00001/${BillID}/csv`)
      const [titles, ...rows] = openCsv(program, body.Body)
      assert.deepEqual(
        titles?.map(({ text }) => text),
        [...CSV_TITLES],
      )
      assert.equal(rows.length, NAMES.length)
      assert.deepEqual(
        rows.map((row) => row[7]?.text),
        ids,
      )
      assert.deepEqual(
        rows.map((row) => row.length),
        NAMES.map(() => 16),
      )
      // A leading zero is lost where the program takes a text for a number; nothing is run.
      const expected = SHOWN.map((name) => (name === '001' ? '1' : name))
      assert.deepEqual(
        rows.map((row) => row[13]?.text),
        expected,
      )
      assert.ok(rows.flat().every(({ formula }) => formula === undefined))
      const sum = rows.reduce((total, row) => total + Number(row[12]?.text), 0)
      assert.equal(sum, (await bills())[0]?.Amount)
    })

    test('would compute a name that is not kept safe', () => {
      assert.deepEqual(openCsv(program, '"=1+1"\r\n')[0]?.[0], { text: '2', formula: 'of:=1+1' })
    })
  })
}
