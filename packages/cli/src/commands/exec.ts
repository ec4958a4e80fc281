/** `kumoi exec -- npm test`: a server in memory for the time of one command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { ownVariables, type Variables } from '../environment.ts'
import { EXIT, Failure } from '../failure.ts'
import { exitAfter, exitOf, PassedSignals, spawnServer } from '../server-process.ts'

export function addExec(program: Command, args: readonly string[]): void {
  program
    .command('exec')
    .description(
      'Starts a server in memory, runs the command with its addresses in the environment, and stops it.',
    )
    .usage('[settings of the server, such as --world FILE] -- COMMAND …')
    .allowUnknownOption()
    .argument('[words...]')
    .action(async () => {
      const dashes = args.indexOf('--')
      const [name, ...words] = dashes < 0 ? [] : args.slice(dashes + 1)
      if (name === undefined) {
        throw new Failure(
          'There is no command after --.',
          EXIT.usage,
          'As in: kumoi exec -- npm test',
        )
      }
      process.exit(await run(args.slice(1, dashes), name, words))
    })
}

async function run(settings: readonly string[], name: string, words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-exec-'))
  const operatorToken = randomBytes(20).toString('hex')
  const signals = new PassedSignals()
  const server = signals.to(
    spawnServer(
      ['--memory', '--port', '0', '--http-port', '0', '--log-level', 'error', ...settings],
      { stdio: ['ignore', 'pipe', 'inherit'], env: serverEnvironment(operatorToken) },
    ),
  )
  const ended = exitOf(server)
  try {
    const variables = await variablesOf(await bannerOf(server), folder)
    if (signals.received !== null) return exitAfter(signals.received)
    const child = signals.to(
      spawn(name, [...words], {
        stdio: 'inherit',
        env: { ...process.env, ...variables, KUMOI_OPERATOR_TOKEN: operatorToken },
      }),
    )
    return await exitOf(child).catch((cause) => {
      throw new Failure(`${name} cannot be run.`, 127, undefined, cause)
    })
  } catch (error) {
    // Whoever interrupts the start of the server need not be told that it did not start.
    if (signals.received !== null) return exitAfter(signals.received)
    throw error
  } finally {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Variables that are meant for another server must not steer this one. */
function serverEnvironment(operatorToken: string): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith('KUMOI_'))
  return { ...Object.fromEntries(rest), KUMOI_OPERATOR_TOKEN: operatorToken }
}

function bannerOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let banner = ''
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      banner += text
      if (banner.includes('\nReady.\n')) resolve(banner)
    })
    server.once('exit', () => reject(new Failure('The server did not start.', EXIT.failed)))
  })
}

/** Its CA is in memory alone; it is asked for on this machine, without TLS, and put into a file. */
async function variablesOf(banner: string, folder: string): Promise<Variables> {
  const row = (name: string) => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(banner)?.[1]
  const plain = row('Plain HTTP') ?? ''
  const answer = await fetch(new URL('/_kumoi/v1/ca.pem', plain))
  const caFile = answer.ok ? join(folder, 'ca.pem') : null
  if (caFile !== null) writeFileSync(caFile, await answer.text())
  const [token, secret] = row('API key')?.split(':') ?? []
  const key = token !== undefined && secret !== undefined ? { token, secret } : null
  const known = { api: row('API') ?? '', operator: row('Operator') ?? '', caFile, key }
  return { ...ownVariables(known), KUMOI_HTTP_URL: plain }
}
