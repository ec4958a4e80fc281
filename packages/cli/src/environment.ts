/** The variables that clients need, in the forms that shells and tools read. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What a running server writes into its data folder as `server.json`. */
export interface Addresses {
  readonly pid: number
  readonly api: string
  readonly operator: string
  readonly caFile: string | null
  /** Only of the demo world, whose key is no secret. */
  readonly key: { readonly token: string; readonly secret: string } | null
}

export function readAddresses(folder: string): Addresses | undefined {
  try {
    const addresses: Addresses = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'))
    process.kill(addresses.pid, 0)
    return addresses
  } catch {
    // No file, or left by a process that is gone: nothing is running here.
    return undefined
  }
}

export type Variables = Readonly<Record<string, string>>

type Known = Pick<Addresses, 'api' | 'operator' | 'caFile' | 'key'>

/** For whom: each set of names that some clients know. `kumoi env --for NAME` prints one. */
export const TARGETS: Readonly<Record<string, (known: Known) => Variables>> = {
  any: ({ api, operator, caFile, key }) => ({
    KUMOI_URL: api,
    KUMOI_OPERATOR_URL: operator,
    ...(key && { KUMOI_TOKEN: key.token, KUMOI_SECRET: key.secret }),
    CLOUD_API_ROOT_URL: `${api}/zone`,
    CLOUD_ZONE: 'is1a',
    ...(key && { CLOUD_ACCESS_TOKEN: key.token, CLOUD_ACCESS_TOKEN_SECRET: key.secret }),
    ...(caFile && {
      KUMOI_CA_FILE: resolve(caFile),
      NODE_EXTRA_CA_CERTS: resolve(caFile),
      SSL_CERT_FILE: resolve(caFile),
    }),
  }),
}

export const FORMATS: Readonly<Record<string, (variables: Variables) => string>> = {
  shell: (variables) => lines(variables, (name, value) => `export ${name}=${quote(value)}`),
  dotenv: (variables) => lines(variables, (name, value) => `${name}=${dotenvQuote(value)}`),
  json: (variables) => `${JSON.stringify(variables, null, 2)}\n`,
}

export function environmentLines(known: Known): string {
  return FORMATS.shell?.(TARGETS.any?.(known) ?? {}) ?? ''
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
