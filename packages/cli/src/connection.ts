/** The options of every command that asks a server, and the client that they make. */
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Client, createClient } from '@kumoi/client'
import type { Command } from 'commander'
import { EXIT, Failure } from './failure.ts'
import { type Given, readSettings, type Settings } from './settings.ts'

/** No flag of an operation may be called so. */
export const GLOBAL_FLAGS: ReadonlySet<string> = new Set([
  'all',
  'body',
  'ca',
  'data',
  'file',
  'help',
  'json',
  'operator-token',
  'operator-url',
  'output',
  'query',
  'secret',
  'token',
  'url',
  'wait',
  'zone',
])

export function addConnectionOptions(command: Command): Command {
  return command
    .optionsGroup('Where and who (each also as KUMOI_… in the environment):')
    .option('--url <URL>', 'base address, such as https://localhost:8443/cloud')
    .option('--token <TOKEN>', 'access token of the key')
    .option('--secret <SECRET>', 'its secret; better in KUMOI_SECRET')
    .option('--zone <ZONE>', 'zone in the path')
    .option('--operator-url <URL>', 'address of the operator API')
    .option('--operator-token <TOKEN>', 'better in KUMOI_OPERATOR_TOKEN')
    .option('--ca <FILE>', 'CA to trust besides the usual ones (KUMOI_CA_FILE)')
    .option('--data <DIR>', 'data folder of a server on this machine [default: ./data]')
}

export interface Connection {
  readonly client: Client
  readonly settings: Settings
}

export function connect(given: Given): Connection {
  const settings = readSettings(given, process.env)
  if (settings.caFile !== undefined) trust(settings.caFile)
  const { baseUrl, operatorUrl, zone, token, secret, operatorToken } = settings
  const client = createClient({
    baseUrl,
    operatorUrl,
    zone,
    ...(token !== undefined && { token }),
    ...(secret !== undefined && { secret }),
    ...(operatorToken !== undefined && { operatorToken }),
    headers: { 'user-agent': 'kumoi-cli', ...language() },
  })
  return { client, settings }
}

/** Messages in the language of the terminal. */
function language(): { readonly 'accept-language'?: string } {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  return /^ja/.test(LC_ALL || LC_MESSAGES || LANG || '') ? { 'accept-language': 'ja' } : {}
}

/** Node's fetch takes no CA of its own; this process trusts it besides those it trusts anyway. */
function trust(caFile: string): void {
  let ca: string
  try {
    ca = readFileSync(caFile, 'utf8')
  } catch (cause) {
    throw new Failure(`The CA file ${caFile} cannot be read.`, EXIT.usage, undefined, cause)
  }
  setDefaultCACertificates([...getCACertificates(), ca])
}
