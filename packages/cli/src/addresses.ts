/** Where the server is that runs with a data folder. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a running server writes into its data folder as `server.json`. */
export interface Addresses {
  readonly pid: number
  readonly api: string
  readonly operator: string
  /** The same as `api` by plain HTTP, where that is served. */
  readonly plain: string | null
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
