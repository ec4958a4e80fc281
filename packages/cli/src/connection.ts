/** The client that the options of a command make. */
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Client, createClient } from '@kumoi/client'
import { EXIT, Failure } from './failure.ts'
import { type Given, readSettings, type Settings } from './settings.ts'

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
