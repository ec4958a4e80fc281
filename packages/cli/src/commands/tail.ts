/** What the server is asked, line by line, as it happens. */
import type { ServerEvent } from '@kumoi/client'
import type { Command } from 'commander'
import { connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { csvLine } from '../csv.ts'
import { EXIT, Failure } from '../failure.ts'
import { fieldText, usesColor } from '../output.ts'
import { addOutputOptions, formatOf, type OutputOptions } from '../output-options.ts'
import { rowsOf } from '../rows.ts'
import { clean, type TextOptions } from '../table.ts'
import { timeText } from '../times.ts'

export function addTail(program: Command): void {
  const command = program
    .command('tail')
    .description(
      'Follows the requests of clients until it is interrupted; goes on when the server comes back.',
    )
    .option('--operation <NAME>', 'only this one')
    .option('--failed', 'only what was refused')
    .option('--count <N>', 'end after so many')
    .option('--since <ID>', 'begin after the event with this id, 0 for all that are kept')
  addOutputOptions(command)
  addConnectionOptions(command).action(async (options) => {
    const { client } = connect(options)
    let left = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count)
    if (!(left > 0)) throw new Failure('--count must be a number above 0.', EXIT.usage)
    const write = await writerFor(options)
    const since = options.since === undefined ? {} : { lastEventId: String(options.since) }
    for await (const event of client.events(since)) {
      const { operation, status } = event.data
      if (options.operation !== undefined && operation !== options.operation) continue
      if (options.failed && status < 400) continue
      write(event.data)
      left -= 1
      if (left === 0) return
    }
  })
}

type Entry = ServerEvent['data']

/** Each as it comes: a line of JSON or CSV, a document of YAML, or a line for people. */
async function writerFor(options: OutputOptions): Promise<(entry: Entry) => void> {
  const { columns, query, utc = false } = options
  const format = formatOf(options)
  const color = usesColor(process.stdout)
  if (query !== undefined) return (entry) => write(`${fieldText(entry, query)}\n`)
  if (columns === undefined && format === 'json') {
    return (entry) => write(`${JSON.stringify(entry)}\n`)
  }
  if (columns === undefined && format === 'yaml') {
    const { stringify } = await import('yaml')
    return (entry) => write(`---\n${stringify(entry)}`)
  }
  if (columns === undefined && format !== 'csv') {
    return (entry) => write(lineOf(entry, { color, isUtc: utc }))
  }
  const asked = columns?.split(',')
  let isFirst = true
  return (entry) => {
    const { columns: names, cells } = rowsOf([entry], undefined, asked)
    write([...(isFirst ? [names] : []), ...cells].map(csvLine).join(''))
    isFirst = false
  }
}

function write(text: string): void {
  process.stdout.write(text)
}

export function lineOf(entry: Entry, { color, isUtc }: TextOptions): string {
  const { time, status, duration_ms, account, operation, method, path, serial } = entry
  const paint = color ? (status < 400 ? '\u001b[32m' : '\u001b[31m') : ''
  const shown = `${paint}${status}${color ? '\u001b[39m' : ''}`
  const words = [
    timeOfDay(time, isUtc),
    shown,
    `${duration_ms.toFixed(1)}ms`.padStart(9),
    (account ?? '-').padEnd(8),
    operation.padEnd(20),
    method,
    clean(path),
    status < 400 ? '' : serial,
  ]
  return `${words.join(' ').trimEnd()}\n`
}

/** With its milliseconds: requests follow each other closely. */
function timeOfDay(time: string, isUtc: boolean): string {
  return `${timeText(time, isUtc).slice(11, 19)}${time.slice(19, 23)}`
}
