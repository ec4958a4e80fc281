/** Opens what a composed cloud needs, lets it listen and run, and closes it in the right order. */
import { join } from 'node:path'
import { type Cloud, compose } from '../compose.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../http/metrics.ts'
import { issueTls, loadOrMakeTls, readTls } from '../http/tls/local-ca.ts'
import { RunningClock } from '../kernel/clock.ts'
import { systemRandom } from '../kernel/random.ts'
import type { Ports, Secrets, Storage } from '../parts.ts'
import { readEncryptionKey, readOperatorToken, readSecretFile, readToken } from './data-folder.ts'
import type { OpenEdge } from './edge.ts'
import { makePorts } from './ports.ts'
import { readSources } from './sources.ts'
import { openStorage } from './storage.ts'

/** How long clients may keep their connections when one server of several stops. */
const GRACE_MS = 1000

export interface Running {
  readonly port: number
  readonly httpPort: number | undefined
  readonly operatorPort: number | undefined
  readonly mqtt: { readonly port: number | undefined; readonly plainPort: number | undefined }
  readonly edge: { readonly port?: number; readonly tlsPort?: number }
  readonly operatorToken: string
  readonly caFile: string | undefined
  readonly metrics: Metrics
  readonly knowsKey: (token: string, secret: string) => Promise<boolean>
  /** Requests and jobs under way finish, then all is closed. */
  stop(): Promise<void>
}

/** `collectMetrics` is for one of several workers. */
export async function startServer(
  config: Config,
  collectMetrics?: () => Promise<string>,
): Promise<Running> {
  const ports = makePorts(config)
  const sources = readSources(config)
  const storage = await openStorage(config, ports.clock.now())
  try {
    const { caFile, ...secrets } = readSecrets(config, ports)
    const cloud = await compose(config, { ports, storage, secrets, sources, collectMetrics })
    const { operatorToken } = secrets
    const { metrics } = cloud
    return {
      ...(await listen(config, storage, cloud, { ports, secrets })),
      operatorToken,
      caFile,
      metrics,
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function listen(
  config: Config,
  storage: Storage,
  cloud: Cloud,
  parts: { readonly ports: Ports; readonly secrets: Secrets },
) {
  const { api, operatorApi, jobs, ring, mqtt } = cloud
  // Only where other servers share the database is there a connection to change to.
  const graceMs = config.database === undefined ? 0 : GRACE_MS
  const closeServers = () =>
    Promise.all([
      ...[...new Set([api, operatorApi])].map((server) => server.close(graceMs)),
      mqtt?.close(),
      edge?.stop(),
    ])
  const { tls, issueLocal } = parts.secrets
  let edge: OpenEdge | undefined
  const { host, port, httpPort, operatorPort, mqttPort, mqttPlainPort } = config
  try {
    const ports = {
      port: await api.listen(host, port),
      httpPort: httpPort === undefined ? undefined : await api.listenPlain(httpPort),
      operatorPort:
        operatorPort === undefined ? undefined : await operatorApi.listen(host, operatorPort),
      mqtt: (await mqtt?.listen({ host, port: mqttPort, plainPort: mqttPlainPort, tls })) ?? {
        ...{ port: undefined, plainPort: undefined },
      },
    }
    if (config.edge !== undefined) {
      const { openEdge } = await import('./edge.ts')
      edge = await openEdge(config, config.edge, cloud, parts.ports, issueLocal)
    }
    cloud.origin = originOf(host, ports.port)
    await jobs.start()
    cloud.ready = true
    return {
      ...ports,
      edge: edge?.address ?? {},
      knowsKey: async (token: string, secret: string) =>
        (await ring.verify(storage.database, token, secret)) !== undefined,
      stop: async () => {
        cloud.ready = false
        await closeServers()
        await jobs.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await closeServers()
    throw error
  }
}

/** Under what those on this machine reach a listener. */
export function originOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `https://${name}:${port}`
}

export function readSecrets(
  config: Config,
  { random }: Ports,
): Secrets & { caFile: string | undefined } {
  const { dataFolder, keyFile } = config
  const local = config.tls === undefined ? localTls(config) : undefined
  const { passwordFile, secretFile } = config.sms
  return {
    encryptionKey: readEncryptionKey(dataFolder, keyFile, random),
    operatorToken: config.operatorToken ?? readOperatorToken(dataFolder, random),
    networkToken: readToken('network', dataFolder, config.networkToken),
    edgeToken: readToken('edge', dataFolder, config.edgeToken),
    tls: config.tls === undefined ? local : readTls(config.tls),
    ca: local?.ca,
    issueLocal: local && ((names, now) => issueTls(local, { names, now, randomBytes })),
    caFile: local?.caFile,
    sms: {
      password: readSecretFile('--sms-password-file', passwordFile),
      secret: readSecretFile('--sms-secret-file', secretFile),
    },
  }
}

/** Certificates live by the machine's time, whatever the world's clock says: clients judge by theirs. */
function localTls({ dataFolder, host }: Config) {
  const configured = host === '0.0.0.0' || host === '::' ? [] : [host]
  return loadOrMakeTls({
    folder: dataFolder && join(dataFolder, 'tls'),
    names: [...new Set(['localhost', '127.0.0.1', '::1', ...configured])],
    now: new RunningClock().now(),
    randomBytes,
  })
}

const randomBytes = (count: number) => systemRandom.bytes(count)
