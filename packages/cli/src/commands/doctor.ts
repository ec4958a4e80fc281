/** Looks at one thing after another, says what it found and, where that is not good, what to do. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { mustCall } from '../calls.ts'
import { type Connection, connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { connectionFailure, EXIT, Failure } from '../failure.ts'
import type { Given } from '../settings.ts'

type Finding = string | { readonly wrong: string; readonly todo: string }

/** Further apart than this, and signatures, tokens and certificates begin to fail. */
const SKEW_SECONDS = 30

export function addDoctor(program: Command): void {
  const command = program.command('doctor').description('Finds out why it does not work.')
  addConnectionOptions(command).action(async (options) => {
    if (!(await examine(options))) process.exitCode = EXIT.failed
    process.exit()
  })
}

async function examine(given: Given): Promise<boolean> {
  tell('this program', `version ${ownVersion()} on Node ${process.version}`)
  let connection: Connection
  try {
    connection = connect(given)
  } catch (error) {
    return tell('settings', wrongOf(error))
  }
  const { client, settings } = connection
  tell('address', `${settings.baseUrl}, from ${settings.source}`)
  tell('CA', settings.caFile ?? 'those that this machine trusts')
  const reached = await check('connection', async () => {
    const answer = await client.healthReady()
    return answer.ok ? 'the server is ready' : `it answers with ${answer.refusal.status}`
  })
  if (!reached) return false
  const checks = [
    await check('key', () => keyFinding(connection)),
    await check('operator', () => operatorFinding(connection)),
    await check('clock', () => clockFinding(connection)),
    await check('version', () => versionFinding(connection)),
  ]
  return checks.every(Boolean)
}

async function keyFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.token === undefined) {
    const todo =
      'Give one with KUMOI_TOKEN and KUMOI_SECRET, or make one: kumoi key create ACCOUNT --permission create'
    return { wrong: 'there is none', todo }
  }
  const { Account, Permission, ExternalPermission } = Object(await mustCall(client, 'authStatus'))
  return `${settings.token} of the account ${Account.Code}, permission ${Permission}, external ${ExternalPermission}`
}

async function operatorFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) {
    return {
      wrong: 'there is no token',
      todo: 'Give it with KUMOI_OPERATOR_TOKEN; it is in operator.token of the data folder.',
    }
  }
  await mustCall(client, 'clockRead')
  return 'the token is right'
}

async function clockFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) return 'known to the operator only'
  const { mode, now, scale } = Object(await mustCall(client, 'clockRead'))
  const skew = Math.round((Date.parse(now) - Date.now()) / 1000)
  if (mode !== 'real') {
    const pace = mode === 'scaled' ? `scaled by ${scale}` : mode
    const place = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} ours`
    return `${pace} at ${now}, ${place}; it stays so over a restart`
  }
  if (Math.abs(skew) <= SKEW_SECONDS) return 'real, and agrees with ours'
  return {
    wrong: `the clock of the server is ${skew} s off ours`,
    todo: 'Set the clocks of both machines.',
  }
}

async function versionFinding({ fetch, settings }: Connection): Promise<Finding> {
  const answer = await fetch(new URL('/openapi/cloud.json', settings.baseUrl).href, {})
  const version = answer.ok ? Object(JSON.parse(await answer.text())).info?.version : undefined
  if (version === ownVersion()) return `the server has ${version}, too`
  const todo = 'Use the command line that came with the server.'
  return { wrong: `the server has ${version ?? 'an unknown version'}`, todo }
}

async function check(name: string, look: () => Promise<Finding>): Promise<boolean> {
  try {
    return tell(name, await look())
  } catch (error) {
    return tell(name, wrongOf(error))
  }
}

function wrongOf(error: unknown): Finding {
  const failure = error instanceof Failure ? error : connectionFailure(error)
  const message = error instanceof Error ? error.message : String(error)
  return { wrong: failure?.message ?? message, todo: failure?.hint ?? '' }
}

function tell(name: string, finding: Finding): boolean {
  const isGood = typeof finding === 'string'
  const text = isGood
    ? finding
    : `${finding.wrong}${finding.todo && `\n${' '.repeat(20)}${finding.todo}`}`
  process.stdout.write(`${isGood ? 'ok   ' : 'wrong'}  ${name.padEnd(13)}${text}\n`)
  return isGood
}

function ownVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return String(Object(JSON.parse(readFileSync(file, 'utf8'))).version)
}
