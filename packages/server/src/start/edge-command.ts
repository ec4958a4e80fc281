/** `kumoi edge`: an edge on a machine of its own, which the server may be away from. */
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { type EdgeCommand, edgeHelp, readEdgeCommand } from '../config-edge-command.ts'
import { every, RunningClock } from '../kernel/clock.ts'
import { type Log, newLog } from '../kernel/log.ts'
import { http } from '../kernel/node-http.ts'
import { Proxies } from '../kernel/proxies.ts'
import { UploadedAccessLog } from '../planes/edge/logs/access-log.ts'
import type { Edge } from '../planes/edge/options.ts'
import { RemoteServer } from '../planes/edge/remote/remote-server.ts'
import { put } from '../planes/outbound/post.ts'
import { isOwnNetwork } from '../planes/outbound/targets.ts'
import { takeOwnership } from '../storage/sqlite/owner-lock.ts'
import { readRoots, trustedOf } from '../tls/pem-files.ts'
import { makeFolder, readSecretFile } from './data-folder.ts'
import { standardError } from './ports.ts'
import { originOf } from './server.ts'
import { version } from './sources.ts'

const MIB = 2 ** 20
/** Of Traffic Server, which has its cache on a disk. */
const DISK_MIB = 1024
const REMINDER_MS = 60_000

export interface RunningEdge {
  readonly banner: string
  stop(): Promise<void>
}

export async function runEdgeCommand(args: readonly string[]): Promise<RunningEdge | string> {
  const command = readEdgeCommand(args)
  if (command === 'help') return edgeHelp()
  const folder = resolve(command.dataFolder)
  makeFolder(folder)
  const lock = takeOwnership(folder)
  const clock = new RunningClock()
  const log = newLog(command.logLevel, () => clock.now(), standardError)
  const remote = await RemoteServer.open({
    url: command.server,
    token: readSecretFile('--token-file', command.tokenFile) ?? '',
    ca: readRoots('--ca-file', command.caFile).join('\n') || undefined,
    ...{ folder, clock, log },
  })
  const originRoots = readRoots('--edge-ca-file', command.edge.caFile)
  const uploads = { allowPrivate: command.privateTargets === 'allow', ca: trustedOf(originRoots) }
  const accessLog = new UploadedAccessLog({
    ...{ folder: join(folder, 'logs'), edgeId: remote.id, clock, log },
    siteOf: (siteId) => edge.site(siteId),
    put: (url, body, headers) => put(url, body, headers, uploads),
  })
  const edge = await startEngine(command, { folder, remote, clock, log, accessLog, originRoots })
  const status = await openStatus(command.statusPort, () => stateOf(edge, remote, clock.now()))
  const reminder = every(REMINDER_MS, () => remind(remote, clock.now(), log))
  return {
    banner: bannerOf(command, edge, stateOf(edge, remote, clock.now()), status?.port),
    async stop() {
      reminder.cancel()
      status?.close()
      await edge.stop()
      await accessLog.stop()
      await remote.close()
      lock.release()
    },
  }
}

interface Parts {
  readonly originRoots: readonly string[]
  readonly folder: string
  readonly remote: RemoteServer
  readonly clock: RunningClock
  readonly log: Log
  readonly accessLog: UploadedAccessLog
}

async function startEngine(command: EdgeCommand, parts: Parts): Promise<Edge> {
  const { edge, publicTlsPort, privateTargets, trustProxy } = command
  const { folder, remote, clock, log, accessLog } = parts
  const shared = {
    ...{ server: remote, id: remote.id, name: command.name ?? hostname(), clock, log, accessLog },
    ...{ softwareVersion: version(), publicTlsPort },
    listen: { host: edge.host, port: edge.port, tlsPort: edge.tlsPort },
    originRoots: parts.originRoots,
  }
  const memoryBytes = edge.cacheMib * MIB
  const allowPrivate = privateTargets === 'allow'
  if (command.engine === 'trafficserver') {
    const { startTrafficServer } = await import('../planes/edge/trafficserver/engine.ts')
    return startTrafficServer({
      ...{ ...shared, memoryBytes, diskBytes: (edge.disk?.mib ?? DISK_MIB) * MIB },
      ...{ folder: join(folder, 'trafficserver'), outbox: remote.outbox },
      ...{ allowsPrivateOrigins: allowPrivate, trustedProxies: trustProxy },
    })
  }
  const { startEdge } = await import('../planes/edge/edge.ts')
  const proxies = new Proxies(trustProxy)
  const disk = edge.disk && {
    folder: edge.disk.folder === '' ? join(folder, 'cache') : edge.disk.folder,
    diskBytes: edge.disk.mib * MIB,
  }
  return startEdge({
    ...{ ...shared, cache: { memoryBytes, ...disk } },
    isForbiddenAddress: (address) => !allowPrivate && isOwnNetwork(address),
    isTrustedProxy: (address) => proxies.trusts(address),
    findChallenge: (token) => remote.findChallenge(token),
    ...{ localCertificate: undefined, settingsLimitMs: undefined },
  })
}

type State = ReturnType<typeof stateOf>

function stateOf(edge: Edge, remote: RemoteServer, now: Date) {
  return {
    ...edge.status(),
    serverAnswers: !remote.isAway,
    sites: remote.siteCount,
    settingsAt: remote.settingsAt?.toISOString() ?? null,
    settingsAgeSeconds: ageOf(remote, now),
    usageIsReported: remote.outbox.isEmpty,
  }
}

function ageOf({ settingsAt }: RemoteServer, now: Date): number | null {
  if (settingsAt === undefined) return null
  return Math.max(0, Math.round((now.getTime() - settingsAt.getTime()) / 1000))
}

function remind(remote: RemoteServer, now: Date, log: Log): void {
  if (!remote.isAway) return
  const err = new Error('The server does not answer.')
  log.error({ err, settingsAgeSeconds: ageOf(remote, now) }, 'the edge serves with old settings')
}

/** For supervisors and people on this machine. It holds no secret. */
async function openStatus(port: number | undefined, state: () => State) {
  if (port === undefined) return undefined
  const server = http.createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(`${JSON.stringify(state())}\n`)
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(port, '127.0.0.1', done)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function bannerOf(
  { engine, server, edge: { host } }: EdgeCommand,
  { address }: Edge,
  { settingsAgeSeconds, sites, serverAnswers }: State,
  statusPort: number | undefined,
): string {
  const age =
    settingsAgeSeconds === null ? 'none yet' : `${sites} sites, ${settingsAgeSeconds} s old`
  const rows = [
    ['Engine', engine],
    ['Server', `${server}${serverAnswers ? '' : ' (does not answer)'}`],
    ...(address.port === undefined
      ? []
      : [['Edge', originOf(host, address.port).replace(/^https/, 'http')]]),
    ...(address.tlsPort === undefined ? [] : [['Edge', originOf(host, address.tlsPort)]]),
    ['Settings', age],
    ...(statusPort === undefined ? [] : [['Status', `http://127.0.0.1:${statusPort}/`]]),
  ]
  return [
    `Kumoi edge ${version()}`,
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(12)}${value}`),
    '',
    'Ready.',
    '',
  ].join('\n')
}
