/** Our own edge in the benchmark: a server with one site in front of an origin on this machine. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Started, start } from './processes.ts'

const MAIN = new URL('../packages/server/src/main.mjs', import.meta.url).pathname
export const DOMAIN = 'cache.example.jp'

export interface EdgeProcess {
  readonly started: Started
  /** `http://domain:port`; the name is not in the DNS. */
  readonly url: string
  readonly port: number
  readonly tlsPort: number
}

export async function startEdge(options: {
  readonly folder: string
  readonly originPort: number
  readonly args?: readonly string[]
}): Promise<EdgeProcess> {
  const { folder, originPort, args = [] } = options
  const world = join(folder, 'world.json')
  writeFileSync(world, JSON.stringify(worldOf(originPort)))
  const own = ['--data', join(folder, 'data'), '--world', world, '--port', '0']
  const edge = ['--edge-port', '0', '--edge-tls-port', '0', '--private-targets', 'allow']
  const started = await start({
    node: ['--max-semi-space-size=8'],
    args: [MAIN, ...own, ...edge, ...args],
    logFile: join(folder, 'log'),
    until: /Ready\./,
  })
  const port = Number(/Edge\s+http:\/\/[^:]+:(\d+)/.exec(started.output)?.[1])
  const tlsPort = Number(/Edge\s+https:\/\/[^:]+:(\d+)/.exec(started.output)?.[1])
  return { started, url: `http://${DOMAIN}:${port}`, port, tlsPort }
}

/** Nothing is stored that the origin does not allow, and each variant is an object. */
function worldOf(originPort: number): object {
  return {
    version: 1,
    accounts: [{ id: '900000000001', code: 'bench', name: 'Bench' }],
    sites: [
      {
        account: 'bench',
        Site: {
          ...{ Name: 'bench', DomainType: 'own_domain', Domain: DOMAIN },
          ...{ OriginType: '0', OriginProtocol: 'http', Origin: `127.0.0.1:${originPort}` },
          ...{ DefaultCacheTTL: -1, VarySupport: '1', Status: 'enabled' },
        },
      },
    ],
  }
}
