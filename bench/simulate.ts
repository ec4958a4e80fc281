/**
 * Simulates the load of a day on a cloud of that many SIMs, from what was measured, and prints it hour by hour. The same
 * flags print the same figures.
 *
 *   --sims N                 a million without it
 *   --engine sqlite|postgres postgres without it
 *   --interval SECONDS       between two reports of a SIM, 300 without it
 *   --outage SHARE           part of the SIMs that are cut off from 8:00 to 8:30, 0.1 without it
 *   --process-cores N, --database-cores N   both or neither: what there is, so that queues are shown
 *   --seed TEXT
 *   --write                  writes the tables of docs/scale.md instead
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isProgram, REPOSITORY } from '../tools/lib/program.ts'
import { readCosts } from './simulate/costs.ts'
import { simulateDay } from './simulate/day.ts'
import { DEFAULTS } from './simulate/scenario.ts'
import { hourTable, tables } from './simulate/tables.ts'

export const REPORT = join(REPOSITORY, 'bench/report.md')
export const PAGE = join(REPOSITORY, 'docs/scale.md')

/** The page with each table as it is printed now. */
export function withTables(page: string, report: string): string {
  let filled = page
  for (const [name, text] of tables(report)) {
    const [begin, end] = [`<!-- table ${name} -->\n\n`, '\n\n<!-- end -->']
    const from = filled.indexOf(begin) + begin.length
    const to = filled.indexOf(end, from)
    if (from < begin.length || to < 0) throw new Error(`The page has no place for ${name}.`)
    filled = `${filled.slice(0, from)}${text}${filled.slice(to)}`
  }
  return filled
}

export function writeScale(): void {
  writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), readFileSync(REPORT, 'utf8')))
}

export function printed(args: readonly string[], report: string): string {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sims: { type: 'string', default: String(DEFAULTS.sims) },
      engine: { type: 'string', default: 'postgres' },
      interval: { type: 'string', default: String(DEFAULTS.intervalSeconds) },
      outage: { type: 'string', default: String(DEFAULTS.outage.share) },
      'process-cores': { type: 'string' },
      'database-cores': { type: 'string' },
      seed: { type: 'string', default: DEFAULTS.seed },
    },
  })
  const { engine, sims, interval, outage, seed } = values
  if (engine !== 'sqlite' && engine !== 'postgres') {
    throw new Error(`--engine must be sqlite or postgres, not ${engine}.`)
  }
  const share = Number(outage)
  if (!(share >= 0 && share <= 1)) throw new Error(`--outage must be 0 to 1, not ${outage}.`)
  const scenario = {
    ...DEFAULTS,
    sims: positive('sims', sims),
    intervalSeconds: positive('interval', interval),
    outage: { ...DEFAULTS.outage, share },
    capacity: capacityOf(values['process-cores'], values['database-cores']),
    seed,
  }
  return hourTable(simulateDay(scenario, readCosts(report, engine)))
}

function capacityOf(process: string | undefined, database: string | undefined) {
  if (process === undefined && database === undefined) return undefined
  if (process === undefined || database === undefined) {
    throw new Error('--process-cores and --database-cores belong together.')
  }
  return {
    process: positive('process-cores', process),
    database: positive('database-cores', database),
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0 && value < Infinity)) {
    throw new Error(`--${name} must be a number above 0, not ${text}.`)
  }
  return value
}

if (isProgram(import.meta.url)) {
  const args = process.argv.slice(2)
  if (args.includes('--write')) writeScale()
  else console.log(printed(args, readFileSync(REPORT, 'utf8')))
}
