/** The variables that clients need, as lines for a shell. */
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

export function environmentLines({ api, caFile, key }: Addresses): string {
  const variables = {
    CLOUD_API_ROOT_URL: `${api}/zone`,
    CLOUD_ZONE: 'is1a',
    ...(key && { CLOUD_ACCESS_TOKEN: key.token, CLOUD_ACCESS_TOKEN_SECRET: key.secret }),
    ...(caFile && { NODE_EXTRA_CA_CERTS: resolve(caFile), SSL_CERT_FILE: resolve(caFile) }),
  }
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quote(value)}\n`)
    .join('')
}

/** Safe for eval whatever is in it: single quotes, and a quote itself outside of them. */
function quote(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}
