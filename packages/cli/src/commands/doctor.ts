/** Looks at one thing after another, says what it found and, where that is not good, what to do. */
import type { Command } from 'commander'
import { mustCall } from '../calls.ts'
import { type Connection, connect } from '../connection.ts'
import { addConnectionOptions } from '../connection-options.ts'
import { connectionFailure, EXIT, Failure } from '../failure.ts'
import { print } from '../output.ts'
import { addOutputOptions, formatOf } from '../output-options.ts'
import type { Given } from '../settings.ts'
import { ownVersion } from '../version.ts'
import type { Finding } from './doctor-finding.ts'
import { mailFinding, probeFinding } from './doctor-mail.ts'
import { networkFinding } from './doctor-network.ts'
import { schemaFinding, secretsFinding } from './doctor-state.ts'

/** Further apart than this, and signatures, tokens and certificates begin to fail. */
const SKEW_SECONDS = 30

export function addDoctor(program: Command): void {
  const command = program.command('doctor').description('Finds out why it does not work.')
  addOutputOptions(command)
  command.option('--send-mail <address>', 'sends a test mail there, too')
  addConnectionOptions(command).action(async ({ sendMail, ...options }) => {
    const rows: Row[] = []
    const { query, columns } = options
    const isForPeople = formatOf(options) === undefined && query === undefined && !columns
    const isWell = await examine(options, sendMail, (row) => {
      rows.push(row)
      // As it is found: a check may take its time.
      if (isForPeople) process.stdout.write(lineOf(row))
    })
    if (!isForPeople) await print({ checks: rows }, options)
    process.exit(isWell ? EXIT.done : EXIT.failed)
  })
}

interface Row {
  readonly check: string
  readonly ok: boolean
  readonly finding: string
  readonly todo: string
}

async function examine(
  given: Given,
  mailTo: string | undefined,
  write: (row: Row) => void,
): Promise<boolean> {
  const tell = (name: string, finding: Finding) => {
    const row = rowOf(name, finding)
    write(row)
    return row.ok
  }
  const check = async (name: string, look: () => Promise<Finding>) => {
    try {
      return tell(name, await look())
    } catch (error) {
      return tell(name, wrongOf(error))
    }
  }
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
    if (answer.ok) return 'the server is ready'
    const { status } = answer.refusal
    // From another machine the question needs the operator's token, which a user of the API may lack.
    if (status === 401) return 'the server answers'
    return {
      wrong: `${settings.operatorUrl} answers with ${status}`,
      todo: 'See whether it is the address of the operator API: --operator-url or KUMOI_OPERATOR_URL.',
    }
  })
  if (!reached) return false
  const checks = [
    await check('key', () => keyFinding(connection)),
    await check('operator', () => operatorFinding(connection)),
    await check('clock', () => clockFinding(connection)),
    await check('schema', () => schemaFinding(connection)),
    await check('secrets', () => secretsFinding(connection)),
    await check('sms', () => smsFinding(connection)),
    await check('version', () => versionFinding(connection)),
    await check('mail', () => mailFinding(connection)),
    await check('network', () => networkFinding(connection)),
    ...(mailTo === undefined
      ? []
      : [await check('test mail', () => probeFinding(connection, mailTo))]),
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

const SMS_ADVICE: Readonly<Record<string, string>> = {
  unreachable: 'Start the gateway, and compare its address with --sms-url.',
  unauthorized: 'Compare --sms-user and the password or secret with those of the gateway.',
  unexpected: 'See whether --sms-url is the address at which the gateway takes messages.',
}

async function smsFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) return 'known to the operator only'
  const found = Object(await mustCall(client, 'smsTransportCheck'))
  const { transport, address, state, detail } = found
  if (address === null) return 'messages stay on the server, in its outbox'
  if (state === 'ready') return `${transport} at ${address} takes messages`
  return {
    wrong: `${transport} at ${address} is ${state}: ${detail}`,
    todo: SMS_ADVICE[state] ?? '',
  }
}

async function versionFinding({ fetch, settings }: Connection): Promise<Finding> {
  const answer = await fetch(new URL('/openapi/cloud.json', settings.baseUrl).href, {})
  const version = answer.ok ? Object(JSON.parse(await answer.text())).info?.version : undefined
  if (version === ownVersion()) return `the server has ${version}, too`
  const todo = 'Use the command line that came with the server.'
  return { wrong: `the server has ${version ?? 'an unknown version'}`, todo }
}

function wrongOf(error: unknown): Finding {
  const failure = error instanceof Failure ? error : connectionFailure(error)
  const message = error instanceof Error ? error.message : String(error)
  return { wrong: failure?.message ?? message, todo: failure?.hint ?? '' }
}

function rowOf(check: string, finding: Finding): Row {
  return typeof finding === 'string'
    ? { check, ok: true, finding, todo: '' }
    : { check, ok: false, finding: finding.wrong, todo: finding.todo }
}

function lineOf({ check, ok, finding, todo }: Row): string {
  const next = todo === '' ? '' : `\n${' '.repeat(20)}${todo}`
  return `${ok ? 'ok   ' : 'wrong'}  ${check.padEnd(13)}${finding}${next}\n`
}
