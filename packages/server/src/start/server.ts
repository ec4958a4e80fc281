/** Opens what a composed cloud needs, lets it listen and run, and closes it in the right order. */
import { join } from 'node:path'
import { type Cloud, compose } from '../compose.ts'
import type { Config } from '../config.ts'
import { RunningClock } from '../kernel/clock.ts'
import { systemRandom } from '../kernel/random.ts'
import type { Tracing } from '../kernel/tracing.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Ports, Secrets, Sources, Storage } from '../parts.ts'
import type { ChallengeListener } from '../planes/acme/challenge-listener.ts'
import type { Certificates } from '../services/certificates/module.ts'
import { showExpiry } from '../tls/metrics.ts'
import { readRoots, trustedOf } from '../tls/pem-files.ts'
import { type OpenCertificate, openFiles, openLocal, type Renewal } from '../tls/renewal.ts'
import { readEncryptionKeys, readOperatorToken, readSecretFile, readToken } from './data-folder.ts'
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
  /** Reads the operator's certificate again. */
  reload(): void
  /** Requests and jobs under way finish, then all is closed. */
  stop(): Promise<void>
}

/** `collectMetrics` is for one of several workers. */
export async function startServer(
  config: Config,
  collectMetrics?: () => Promise<string>,
): Promise<Running> {
  const sources = readSources(config)
  const made = makePorts(config)
  const ports = { ...made, tracing: await openTracing(config, sources, made) }
  const storage = await openStorage(config, ports.clock.now())
  try {
    const { caFile, renewal, ...secrets } = readSecrets(config, ports)
    const cloud = await compose(config, { ports, storage, secrets, sources, collectMetrics })
    const { operatorToken } = secrets
    const { metrics } = cloud
    return {
      ...(await listen(config, storage, cloud, { ports, secrets, renewal })),
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
  parts: { readonly ports: Ports; readonly secrets: Secrets; readonly renewal: Renewal },
) {
  const { api, operatorApi, jobs, ring, keyUses, mqtt, certificates } = cloud
  // Only where other servers share the database is there a connection to change to.
  const graceMs = config.database === undefined ? 0 : GRACE_MS
  const closeServers = () =>
    Promise.all([
      ...[...new Set([api, operatorApi])].map((server) => server.close(graceMs)),
      mqtt?.close(),
      edge?.stop(),
      challenges?.close(),
    ])
  const { secrets, renewal } = parts
  const { tls, issueLocal } = secrets
  let edge: OpenEdge | undefined
  let challenges: ChallengeListener | undefined
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
    if (certificates !== undefined) {
      await certificates.start()
      challenges = await openChallenges(config, certificates)
    }
    if (config.edge !== undefined) {
      const { openEdge } = await import('./edge.ts')
      edge = await openEdge(config, config.edge, cloud, parts.ports, issueLocal)
    }
    cloud.origin = originOf(host, ports.port)
    await jobs.start()
    cloud.ready = true
    renewal.start()
    if (tls !== undefined) showExpiry(cloud.metrics.registry, tls)
    return {
      ...ports,
      reload: () => renewal.reload(),
      edge: edge?.address ?? {},
      knowsKey: async (token: string, secret: string) =>
        (await ring.verify(storage.database, token, secret)) !== undefined,
      stop: async () => {
        cloud.ready = false
        renewal.stop()
        certificates?.stop()
        await closeServers()
        await jobs.stop()
        await keyUses.write()
        await storage.close()
        await parts.ports.tracing?.close().catch((err: unknown) => {
          parts.ports.log.error({ err }, 'the last traces could not be sent')
        })
      },
    }
  } catch (error) {
    certificates?.stop()
    await closeServers()
    throw error
  }
}

/** Loaded only where there is a port of its own for it. */
async function openChallenges({ host, acme }: Config, { orders }: Certificates) {
  if (acme?.httpPort === undefined) return undefined
  const { ChallengeListener } = await import('../planes/acme/challenge-listener.ts')
  const listener = new ChallengeListener((token) => orders.findAnswer(token))
  await listener.listen(host, acme.httpPort)
  return listener
}

/** Under what those on this machine reach a listener. */
export function originOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::'
  const name = isAny ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `https://${name}:${port}`
}

/** Loaded only where traces are wanted; the libraries read the rest of their settings themselves. */
async function openTracing(
  { isTraced }: Config,
  { version }: Sources,
  { log }: Ports,
): Promise<Tracing | undefined> {
  if (!isTraced) return undefined
  const { otlpTracing } = await import('../planes/tracing/tracing.ts')
  return otlpTracing(version, log)
}

export function readSecrets(
  config: Config,
  ports: Ports,
): Secrets & { caFile: string | undefined; renewal: Renewal } {
  const { dataFolder, keyFile } = config
  const { random } = ports
  const { served, renewal, ca, caFile, issueLocal } = openCertificate(config, ports)
  const { passwordFile, secretFile } = config.sms
  return {
    encryptionKeys: readEncryptionKeys(dataFolder, keyFile, random),
    operatorToken: config.operatorToken ?? readOperatorToken(dataFolder, random),
    networkToken: readToken('network', dataFolder, config.networkToken),
    edgeToken: readToken('edge', dataFolder, config.edgeToken),
    ...{ tls: served, renewal, ca, issueLocal },
    // Not for what is served once a certificate was issued.
    caFile: config.acme?.domains.length ? undefined : caFile,
    acmeCa: trustedOf(readRoots('--acme-ca-file', config.acme?.caFile)),
    sms: {
      password: readSecretFile('--sms-password-file', passwordFile),
      secret: readSecretFile('--sms-secret-file', secretFile),
    },
  }
}

/** Certificates live by the machine's time, whatever the world's clock says: clients judge by theirs. */
function openCertificate({ tls, dataFolder, host }: Config, { log }: Ports): OpenCertificate {
  const parts = { log, machine: new RunningClock() }
  if (tls !== undefined) return openFiles(tls, parts)
  const configured = host === '0.0.0.0' || host === '::' ? [] : [host]
  const options = {
    folder: dataFolder && join(dataFolder, 'tls'),
    names: [...new Set(['localhost', '127.0.0.1', '::1', ...configured])],
    randomBytes: (count: number) => systemRandom.bytes(count),
  }
  return openLocal(options, parts)
}
