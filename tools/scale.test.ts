/** docs/scale.md shows what bench/simulate.ts prints. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { PAGE, printed, REPORT, withTables } from '../bench/simulate.ts'

const report = readFileSync(REPORT, 'utf8')
const numbersOf = (row: string) => row.split('|').map((cell) => Number(cell.replaceAll(',', '')))
const rowsOf = (...args: string[]) => printed(args, report).split('\n').slice(2).map(numbersOf)

describe('bench/simulate.ts', () => {
  test('prints the tables of docs/scale.md (`node bench/simulate.ts --write`)', () => {
    const page = readFileSync(PAGE, 'utf8')
    assert.equal(page, withTables(page, report))
  })

  test('prints the same for the same seed, and something else for another', () => {
    const small = ['--sims', '30000']
    assert.equal(printed(small, report), printed(small, report))
    assert.notEqual(printed(small, report), printed([...small, '--seed', 'x'], report))
  })

  test('has an hour a row, and a report of every SIM every five minutes', () => {
    const rows = rowsOf('--sims', '300000', '--outage', '0')
    assert.deepEqual(
      rows.map(([, hour]) => hour),
      Array.from({ length: 24 }, (_, hour) => hour),
    )
    for (const [, , interims = 0] of rows) assert.ok(Math.abs(interims - 1000) < 20, `${interims}`)
  })

  test('refuses flags that it would calculate nonsense from', () => {
    for (const [args, said] of [
      ['--sims abc', /--sims must be a number above 0, not abc/],
      ['--sims=-5', /--sims must be/],
      ['--interval 0', /--interval must be/],
      ['--outage 1.1', /--outage must be 0 to 1/],
      ['--engine mysql', /--engine must be sqlite or postgres/],
      ['--process-cores 4', /belong together/],
      ['--process-cores 4 --database-cores x', /--database-cores must be/],
    ] as const) {
      assert.throws(() => printed(args.split(' '), report), said, args)
    }
  })

  test('shows a queue after an outage where there are too few cores, which is gone in the end', () => {
    const few = ['--sims', '10000000', '--process-cores', '8', '--database-cores', '8']
    const queues = rowsOf(...few, '--outage', '0.5').map((row) => row[10] ?? 0)
    assert.equal(queues[7], 0)
    assert.ok((queues[8] ?? 0) > 1_000_000)
    assert.equal(queues[23], 0)
    assert.ok(rowsOf(...few, '--outage', '0').every((row) => row[10] === 0))
  })
})
