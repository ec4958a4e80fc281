/** What the server is asked, line by line, as it happens. */
import type { ServerEvent } from '@kumoi/client'
import type { Command } from 'commander'
import { connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { EXIT, Failure } from '../failure.ts'
import { usesColor } from '../output.ts'
import { clean } from '../table.ts'

export function addTail(program: Command): void {
  const command = program
    .command('tail')
    .description(
      'Follows the requests of clients until it is interrupted; goes on when the server comes back.',
    )
    .option('--json', 'each as a line of JSON')
    .option('--operation <NAME>', 'only this one')
    .option('--failed', 'only what was refused')
    .option('--count <N>', 'end after so many')
    .option('--since <ID>', 'begin after the event with this id, 0 for all that are kept')
  addConnectionOptions(command).action(async (options) => {
    const { client } = connect(options)
    let left = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count)
    if (!(left > 0)) throw new Failure('--count must be a number above 0.', EXIT.usage)
    const color = usesColor(process.stdout)
    const since = options.since === undefined ? {} : { lastEventId: String(options.since) }
    for await (const event of client.events(since)) {
      const { operation, status } = event.data
      if (options.operation !== undefined && operation !== options.operation) continue
      if (options.failed && status < 400) continue
      process.stdout.write(options.json ? `${JSON.stringify(event.data)}\n` : lineOf(event, color))
      left -= 1
      if (left === 0) return
    }
  })
}

export function lineOf({ data }: Pick<ServerEvent, 'data'>, color: boolean): string {
  const { time, status, duration_ms, account, operation, method, path, serial } = data
  const paint = color ? (status < 400 ? '\u001b[32m' : '\u001b[31m') : ''
  const shown = `${paint}${status}${color ? '\u001b[39m' : ''}`
  const words = [
    time.slice(11, 23),
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
