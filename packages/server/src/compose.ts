/** Puts the parts together: the only place that knows all of them. */
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { CLOUD, OPERATOR } from './contracts.ts'
import { BasicDoor } from './http/auth/basic.ts'
import { keyDoor, operatorDoor } from './http/door.ts'
import { RequestMetrics } from './http/request-metrics.ts'
import { Edge } from './http/server.ts'
import { readPage, servePage } from './http/static.ts'
import { loadOrMakeTls, readTls } from './http/tls/local-ca.ts'
import { JobDriver } from './jobs/driver.ts'
import { RunningClock } from './kernel/clock.ts'
import type { Job } from './kernel/job.ts'
import { systemRandom } from './kernel/random.ts'
import { SecretBox } from './kernel/secret-box.ts'
import { INTERFACE_WORDS } from './kernel/words.ts'
import { accountContract } from './services/account/contract.ts'
import { KeyRing } from './services/account/public.ts'
import { accountHandlers } from './services/account/routes.ts'
import { accountsSection } from './services/account/world.ts'
import { itemsContract } from './services/items/contract.ts'
import { type ItemKind, ItemKinds } from './services/items/public.ts'
import { itemsHandlers } from './services/items/routes.ts'
import { operatorContract } from './services/operator/contract.ts'
import { World } from './services/operator/public.ts'
import { operatorHandlers } from './services/operator/routes.ts'
import { readEncryptionKey, readOperatorToken } from './start/data-folder.ts'
import { metricsText } from './start/metrics.ts'
import { makePorts, type Ports } from './start/ports.ts'
import { openStorage, type Storage } from './start/storage.ts'
import { StartWorlds } from './start/worlds.ts'
import type { Database } from './storage/database.ts'
import { wipe } from './storage/wipe.ts'

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
    return await assemble(config, ports, storage)
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function assemble(config: Config, ports: Ports, storage: Storage): Promise<Running> {
  const { clock, random, log } = ports
  const { database } = storage
  const box = new SecretBox(readEncryptionKey(config.dataFolder, config.keyFile, random), random)
  const basic: BasicDoor = new BasicDoor(
    ({ token, secret }) => ring.verify(database, token, secret),
    () => clock.now(),
  )
  const ring = new KeyRing(box, random, () => basic.forget())
  const kinds: readonly ItemKind[] = []
  const jobList: readonly Job<Database>[] = []
  const jobs = new JobDriver({ database, clock, random, log, jobs: jobList })
  const world = new World([accountsSection(ring)])
  const worlds = new StartWorlds(world, config.worlds, config.mode === 'dev')
  await worlds.applyAtStart(database, clock.now())

  const tls =
    config.tls === undefined
      ? localTls(config)
      : { ...readTls(config.tls), ca: undefined, caFile: undefined }
  const operatorToken = config.operatorToken ?? readOperatorToken(config.dataFolder, random)
  const metrics = new RequestMetrics()
  let ready = false
  const newEdge = () =>
    new Edge({
      ...ports,
      metrics,
      prefix: config.prefix,
      beautifyHeader: INTERFACE_WORDS.beautifyHeader,
      trustProxy: config.trustProxy,
      tls,
    })

  const edge = newEdge()
  const door = keyDoor({ basic, database, clock, publicUrl: config.publicUrl })
  edge.mount({ family: CLOUD, contract: accountContract, handlers: accountHandlers, door })
  edge.mount({
    family: CLOUD,
    contract: itemsContract,
    handlers: itemsHandlers(new ItemKinds(kinds)),
    door,
  })
  servePage(edge.server, readPage(`${config.prefix}${CLOUD.base}`))

  const operatorEdge = config.operatorPort === undefined ? edge : newEdge()
  operatorEdge.mount({
    family: OPERATOR,
    contract: operatorContract,
    handlers: operatorHandlers({
      clock,
      ring,
      world,
      ca: tls.ca,
      isReady: () => ready,
      metrics: () => metricsText(metrics, jobs),
      async reset(to, now) {
        await database.write(async (tx) => {
          await wipe(tx)
          if (to === 'world') await worlds.applyAll(tx, now)
          tx.afterCommit(() => ring.forget())
        })
        await storage.blobs.clear()
      },
    }),
    door: operatorDoor({
      token: operatorToken,
      ownNames: ownNames(config),
      database,
      clock,
      publicUrl: config.publicUrl,
    }),
  })

  const stop = async () => {
    ready = false
    await Promise.all([edge.close(), operatorEdge === edge ? undefined : operatorEdge.close()])
    await jobs.stop()
    await storage.close()
  }
  const port = await edge.listen(config.host, config.port)
  try {
    const httpPort =
      config.httpPort === undefined ? undefined : await edge.listenPlain(config.httpPort)
    const operatorPort =
      config.operatorPort === undefined
        ? undefined
        : await operatorEdge.listen(config.host, config.operatorPort)
    await jobs.start()
    ready = true
    return {
      port,
      httpPort,
      operatorPort,
      operatorToken,
      caFile: tls.caFile,
      knowsKey: async (token, secret) => (await ring.verify(database, token, secret)) !== undefined,
      stop,
    }
  } catch (error) {
    await edge.close()
    throw error
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

/** The names under which the operator API may be called, besides addresses and localhost. */
function ownNames({ host, publicUrl }: Config): ReadonlySet<string> {
  const names = [host, publicUrl && URL.parse(publicUrl)?.hostname]
  return new Set(names.filter((name): name is string => !!name && isIP(name) === 0))
}
