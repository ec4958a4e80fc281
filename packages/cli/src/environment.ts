/** The variables that clients need, in the forms that shells and tools read. */
import { readFileSync } from 'node:fs'
import type { Addresses } from './addresses.ts'
import { trustVariables } from './trust.ts'

export type Variables = Readonly<Record<string, string>>

type Known = Pick<Addresses, 'api' | 'operator' | 'caFile' | 'key'>

/** For clients of our own, and for those that take the neutral names. */
export function ownVariables({ api, operator, caFile, key }: Known): Variables {
  return {
    KUMOI_URL: api,
    KUMOI_OPERATOR_URL: operator,
    ...(key && { KUMOI_TOKEN: key.token, KUMOI_SECRET: key.secret }),
    CLOUD_API_ROOT_URL: `${api}/zone`,
    CLOUD_ZONE: 'is1a',
    ...(key && { CLOUD_ACCESS_TOKEN: key.token, CLOUD_ACCESS_TOKEN_SECRET: key.secret }),
    ...(caFile === null ? {} : trustVariables(caFile)),
  }
}

/**
 * For the clients of a profile of the server, by the names that it lists. They are told the plain
 * listener where there is one, since many of them cannot be told a CA.
 */
export function profileVariables(
  profile: string,
  { plain, api, key, caFile }: Omit<Addresses, 'pid'>,
): Variables | undefined {
  const listed = readEnvironment(profile)
  if (listed === undefined) return undefined
  const words: Record<string, string | undefined> = {
    base_url: plain ?? api,
    token: key?.token,
    secret: key?.secret,
    zone: 'is1a',
    // For clients that fill in the zone of each call themselves.
    zone_placeholder: '{zone}',
  }
  const filled = Object.entries(listed).flatMap(([name, template]) => {
    const isKnown = [...template.matchAll(WORD)].every(([, word = '']) => words[word] !== undefined)
    return isKnown ? [[name, template.replaceAll(WORD, (_, word) => words[word] ?? '')]] : []
  })
  return {
    ...Object.fromEntries(filled),
    ...(plain === null && caFile !== null ? trustVariables(caFile) : {}),
  }
}

/** Of the server: the names are its data, and no code of its is loaded. */
const PROFILES = new URL('../../server/profiles/', import.meta.url)

const WORD = /\{(\w+)\}/g

/** Undefined when there is no such profile. */
function readEnvironment(profile: string): Readonly<Record<string, string>> | undefined {
  if (!/^[a-z0-9-]+$/.test(profile)) return undefined
  try {
    const file = new URL(`${profile}.json`, PROFILES)
    return JSON.parse(readFileSync(file, 'utf8')).environment ?? {}
  } catch {
    return undefined
  }
}

export const FORMATS: Readonly<Record<string, (variables: Variables) => string>> = {
  shell: (variables) => lines(variables, (name, value) => `export ${name}=${quote(value)}`),
  dotenv: (variables) => lines(variables, (name, value) => `${name}=${dotenvQuote(value)}`),
  json: (variables) => `${JSON.stringify(variables, null, 2)}\n`,
}

export function environmentLines(known: Known): string {
  return FORMATS.shell?.(ownVariables(known)) ?? ''
}

function lines(variables: Variables, line: (name: string, value: string) => string): string {
  return Object.entries(variables)
    .map(([name, value]) => `${line(name, value)}\n`)
    .join('')
}

/** Safe for eval whatever is in it: single quotes, and a quote itself outside of them. */
function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}

/** There is no escape in such a file: a value is put into quotes that it does not have itself. */
function dotenvQuote(value: string): string {
  const mark = ["'", '"', '`'].find((one) => !value.includes(one))
  if (mark === undefined) throw new Error(`No quotes fit around ${value}.`)
  return `${mark}${value}${mark}`
}
