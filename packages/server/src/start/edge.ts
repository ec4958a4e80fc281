/** The edge of the web accelerator in this process; this file is loaded only where a port was asked for. */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cloud } from '../compose.ts'
import type { Config } from '../config.ts'
import type { EdgeConfig } from '../config-edge.ts'
import { RunningClock } from '../kernel/clock.ts'
import { isOtherRunning } from '../kernel/other-process.ts'
import { Proxies } from '../kernel/proxies.ts'
import { randomHex, systemRandom } from '../kernel/random.ts'
import type { Ports, Secrets } from '../parts.ts'
import { startEdge } from '../planes/edge/edge.ts'
import { UploadedAccessLog } from '../planes/edge/logs/access-log.ts'
import { edgeMetrics } from '../planes/edge/metrics.ts'
import { put } from '../planes/outbound/post.ts'
import { isOwnNetwork } from '../planes/outbound/targets.ts'
import { readRoots, trustedOf } from '../tls/pem-files.ts'
import { makeFolder } from './data-folder.ts'
import { version } from './sources.ts'

/** Purges wait for an edge that was seen within 10 seconds; by then this one has stopped to use what it stored. */
const SETTINGS_LIMIT_MS = 8000
const MIB = 2 ** 20

export interface OpenEdge {
  readonly address: { readonly port?: number; readonly tlsPort?: number }
  /** Requests under way finish, and nobody waits for it any more. */
  stop(): Promise<void>
}

export async function openEdge(
  config: Config,
  wanted: EdgeConfig,
  { edges, metrics, certificates }: Pick<Cloud, 'edges' | 'metrics' | 'certificates'>,
  ports: Ports,
  issueLocal?: Secrets['issueLocal'],
): Promise<OpenEdge> {
  const { clock, log } = ports
  const machine = new RunningClock()
  const id = randomHex(systemRandom, 16)
  const allowPrivate = config.privateTargets === 'allow'
  const proxies = new Proxies(config.trustProxy)
  const disk = wanted.disk && { folder: takeFolder(wanted.disk.folder), mib: wanted.disk.mib }
  const originRoots = readRoots('--edge-ca-file', wanted.caFile)
  const logs = logFolder(config.dataFolder)
  const accessLog = new UploadedAccessLog({
    ...{ folder: logs.folder, edgeId: id, clock: machine, log },
    siteOf: (siteId) => edge.site(siteId),
    put: (url, body, headers) =>
      put(url, body, headers, { allowPrivate, ca: trustedOf(originRoots) }),
  })
  const measured = edgeMetrics(metrics.registry, edges)
  const edge = await startEdge({
    ...{ server: measured.server, id, name: `${hostname()} ${process.pid}`, clock, log, accessLog },
    softwareVersion: version(),
    listen: { host: wanted.host, port: wanted.port, tlsPort: wanted.tlsPort },
    cache: {
      memoryBytes: wanted.cacheMib * MIB,
      folder: disk?.folder,
      diskBytes: disk && disk.mib * MIB,
    },
    originRoots,
    isForbiddenAddress: (address) => !allowPrivate && isOwnNetwork(address),
    isTrustedProxy: (address) => proxies.trusts(address),
    localCertificate:
      issueLocal &&
      (async (hosts) => {
        const { cert, key } = issueLocal(hosts, machine.now())
        return { chain: cert, key }
      }),
    findChallenge: certificates && ((token) => certificates.orders.findAnswer(token)),
    settingsLimitMs: SETTINGS_LIMIT_MS,
  })
  measured.show(() => edge.status())
  return {
    address: edge.address,
    async stop() {
      await edge.stop()
      await edges.leave(id)
      await accessLog.stop()
      logs.remove()
      if (disk !== undefined) rmSync(join(disk.folder, OWNER), { force: true })
    },
  }
}

/** Lines that wait for their upload outlive the process, unless it keeps nothing on disk. */
function logFolder(dataFolder: string | undefined) {
  if (dataFolder !== undefined) {
    return { folder: join(dataFolder, 'edge-logs'), remove: () => undefined }
  }
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-edge-logs-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const OWNER = 'owner.pid'

/** Workers share the folder that was given: each takes the first part of it that no running process has. */
function takeFolder(folder: string): string {
  makeFolder(folder)
  for (let number = 1; ; number += 1) {
    const part = join(folder, String(number))
    mkdirSync(part, { recursive: true, mode: 0o700 })
    if (take(join(part, OWNER))) return part
  }
}

function take(file: string): boolean {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, String(process.pid))
      closeSync(handle)
      return true
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner > 0 && isOtherRunning(owner)) return false
    rmSync(file, { force: true })
  }
  return false
}
