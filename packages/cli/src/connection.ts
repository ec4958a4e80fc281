/** The client that the options of a command make. */
import { readFileSync } from 'node:fs'
import { type Client, createClient, type Fetch } from '@kumoi/client'
import { EXIT, Failure } from './failure.ts'
import { serverFetch } from './server-fetch.ts'
import { type Given, readSettings, type Settings } from './settings.ts'

export interface Connection {
  readonly client: Client
  readonly fetch: Fetch
  readonly settings: Settings
}

export function connect(given: Given): Connection {
  const settings = readSettings(given, process.env)
  const { baseUrl, operatorUrl, zone, token, secret, operatorToken } = settings
  const fetch = serverFetch([baseUrl, operatorUrl], settings.caFile && readCa(settings.caFile))
  const client = createClient({
    fetch,
    baseUrl,
    operatorUrl,
    zone,
    ...(token !== undefined && { token }),
    ...(secret !== undefined && { secret }),
    ...(operatorToken !== undefined && { operatorToken }),
    headers: { 'user-agent': 'kumoi-cli', ...language() },
  })
  return { client, fetch, settings }
}

/** Messages in the language of the terminal. */
function language(): { readonly 'accept-language'?: string } {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  return /^ja/.test(LC_ALL || LC_MESSAGES || LANG || '') ? { 'accept-language': 'ja' } : {}
}

function readCa(caFile: string): string {
  try {
    return readFileSync(caFile, 'utf8')
  } catch (cause) {
    throw new Failure(`The CA file ${caFile} cannot be read.`, EXIT.usage, undefined, cause)
  }
}
