/** Opens what a composed cloud needs, lets it listen and run, and closes it in the right order. */
import { join } from 'node:path'
import { type Cloud, compose, type Secrets } from '../compose.ts'
import type { Config } from '../config.ts'
import { loadOrMakeTls, readTls } from '../http/tls/local-ca.ts'
import { RunningClock } from '../kernel/clock.ts'
import { systemRandom } from '../kernel/random.ts'
import type { Fronts } from './crew.ts'
import { readEncryptionKey, readOperatorToken } from './data-folder.ts'
import { makePorts, type Ports } from './ports.ts'
import { standardError } from './standard-error.ts'
import { openStorage, type Storage } from './storage.ts'

/** How long clients have to leave by themselves when a process of several stops. */
const GRACE_MS = 1000

/** As Node wants them. */
const TICKET_KEYS_BYTES = 48

export interface Running {
  readonly port: number
  readonly httpPort: number | undefined
  readonly operatorPort: number | undefined
  readonly operatorToken: string
  readonly caFile: string | undefined
  readonly knowsKey: (token: string, secret: string) => Promise<boolean>
  /** Requests and jobs under way finish, then all is closed. */
  stop(): Promise<void>
}

export async function startServer(config: Config): Promise<Running> {
  const ports = makePorts(config)
  const storage = await openStorage(config, ports.clock.now())
  try {
    const { caFile, ...read } = readSecrets(config, ports)
    const secrets = config.workers === 1 ? read : withTicketKeys(read, ports)
    const fronts = config.workers === 1 ? undefined : await openFronts(config, ports, secrets)
    const cloud = await compose(config, ports, storage, secrets, { crew: fronts })
    const { operatorToken } = secrets
    return { ...(await listen(config, storage, cloud, fronts)), operatorToken, caFile }
  } catch (error) {
    await storage.close()
    throw error
  }
}

function withTicketKeys({ tls, ...secrets }: Secrets, { random }: Ports): Secrets {
  return { ...secrets, tls: tls && { ...tls, ticketKeys: random.bytes(TICKET_KEYS_BYTES) } }
}

/** Loaded only where it is used. */
async function openFronts(config: Config, { random, log }: Ports, secrets: Secrets) {
  const { Fronts } = await import('./crew.ts')
  standardError.share()
  return new Fronts({ config, secrets, random, log })
}

async function listen(config: Config, storage: Storage, cloud: Cloud, fronts: Fronts | undefined) {
  const { edge, operatorEdge, jobs, ring } = cloud
  // Only where others go on serving is there a connection to change to.
  const graceMs = config.database === undefined && fronts === undefined ? 0 : GRACE_MS
  const closeEdges = () =>
    Promise.all([
      ...[...new Set([edge, operatorEdge])].map((one) => one.close(graceMs)),
      fronts?.stop(graceMs),
    ])
  const { host, port, httpPort, operatorPort } = config
  try {
    const ports = {
      port: await edge.listen(host, port),
      httpPort: httpPort === undefined ? undefined : await edge.listenPlain(httpPort),
      operatorPort:
        operatorPort === undefined ? undefined : await operatorEdge.listen(host, operatorPort),
    }
    await jobs.start()
    await fronts?.open(cloud)
    cloud.ready = true
    return {
      ...ports,
      knowsKey: async (token: string, secret: string) =>
        (await ring.verify(storage.database, token, secret)) !== undefined,
      stop: async () => {
        cloud.ready = false
        if (fronts !== undefined) await Promise.all([edge.stopTaking(), fronts.halt()])
        await closeEdges()
        await jobs.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await closeEdges()
    throw error
  }
}

export function readSecrets(
  config: Config,
  { random }: Ports,
): Secrets & { caFile: string | undefined } {
  const { dataFolder, keyFile } = config
  const local = config.tls === undefined ? localTls(config) : undefined
  return {
    encryptionKey: readEncryptionKey(dataFolder, keyFile, random),
    operatorToken: config.operatorToken ?? readOperatorToken(dataFolder, random),
    tls: config.tls === undefined ? local : readTls(config.tls),
    ca: local?.ca,
    caFile: local?.caFile,
  }
}

/** Certificates live by the machine's time, whatever the world's clock says: clients judge by theirs. */
function localTls({ dataFolder, host }: Config) {
  const configured = host === '0.0.0.0' || host === '::' ? [] : [host]
  return loadOrMakeTls({
    folder: dataFolder && join(dataFolder, 'tls'),
    names: [...new Set(['localhost', '127.0.0.1', '::1', ...configured])],
    now: new RunningClock().now(),
    randomBytes: (count) => systemRandom.bytes(count),
  })
}
