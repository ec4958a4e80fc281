/** Puts the parts together: the only place that knows all of them. Nothing listens or runs yet. */
import { isIP } from 'node:net'
import type { Config } from './config.ts'
import { CLOUD, OPERATOR } from './contracts.ts'
import { BasicDoor } from './http/auth/basic.ts'
import { type Door, keyDoor, operatorDoor } from './http/door.ts'
import { RequestMetrics } from './http/request-metrics.ts'
import { Edge } from './http/server.ts'
import { readPage, servePage } from './http/static.ts'
import { JobDriver } from './jobs/driver.ts'
import { SecretBox } from './kernel/secret-box.ts'
import { INTERFACE_WORDS } from './kernel/words.ts'
import { accountContract } from './services/account/contract.ts'
import { KeyRing } from './services/account/public.ts'
import { accountHandlers } from './services/account/routes.ts'
import { accountsSection } from './services/account/world.ts'
import type { Context, OperatorContext } from './services/context.ts'
import { gatewayNetworks } from './services/gateway/public.ts'
import { itemsContract } from './services/items/contract.ts'
import { type ItemKind, ItemKinds } from './services/items/public.ts'
import { itemsHandlers } from './services/items/routes.ts'
import { operatorContract } from './services/operator/contract.ts'
import { World } from './services/operator/public.ts'
import { operatorHandlers } from './services/operator/routes.ts'
import { settingsSection } from './services/settings/world.ts'
import { simContract } from './services/sim/contract.ts'
import { devicesContract } from './services/sim/devices-contract.ts'
import { joinNetworks, type Networks } from './services/sim/public.ts'
import { checkEncryptionKey } from './start/encryption-check.ts'
import { plugGateways } from './start/gateways.ts'
import { gatewaysSection } from './start/gateways-world.ts'
import { metricsText } from './start/metrics.ts'
import type { Ports } from './start/ports.ts'
import { composeSims } from './start/sims.ts'
import type { Storage } from './start/storage.ts'
import { StartWorlds } from './start/worlds.ts'
import { wipe } from './storage/wipe.ts'

/** What is read from the data folder, or made up where there is none. */
export interface Secrets {
  readonly encryptionKey: Uint8Array
  readonly operatorToken: string
  /** Without it the edges speak plain HTTP, as for `inject` in tests. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  readonly ca: string | undefined
}

/** Stands at a port instead of what belongs there; for tests. */
export interface Given {
  readonly kinds?: readonly ItemKind[] | undefined
  readonly networks?: Networks | undefined
}

export interface Cloud {
  readonly edge: Edge
  /** The same as `edge` unless the operator API has a listener of its own. */
  readonly operatorEdge: Edge
  readonly jobs: JobDriver
  readonly ring: KeyRing
  /** Whether `/health/ready` says so. */
  ready: boolean
}

export async function compose(
  config: Config,
  ports: Ports,
  storage: Storage,
  secrets: Secrets,
  given: Given = {},
): Promise<Cloud> {
  const { clock, random, log } = ports
  const { database } = storage
  const { publicUrl, prefix, trustProxy } = config
  const basic: BasicDoor = new BasicDoor(
    ({ token, secret }) => ring.verify(database, token, secret),
    () => clock.now(),
  )
  const box = new SecretBox(secrets.encryptionKey, random)
  await checkEncryptionKey(database, box)
  const ring = new KeyRing(box, random, () => basic.forget())
  // Before the start nothing runs; the start itself wakes every job.
  const state = { isReady: () => false }
  const wake = (job: string) => void (state.isReady() && jobs.wake(job))
  const words = INTERFACE_WORDS
  const networks = given.networks ?? joinNetworks([gatewayNetworks(clock, wake)])
  const sims = composeSims({ database, box, words, networks, wake })
  const gateways = plugGateways({ config, words, networks, wake })
  const jobList = [...sims.jobs, ...gateways.jobs]
  const jobs = new JobDriver({ database, clock, random, log, jobs: jobList })
  const sections = [settingsSection, ...sims.sections, gatewaysSection(networks)]
  const world = new World([accountsSection(ring), ...sections])
  const worlds = new StartWorlds(world, config.worlds, config.mode === 'dev')
  await worlds.applyAtStart(database, clock.now())

  const metrics = new RequestMetrics()
  const { beautifyHeader } = words
  const newEdge = () =>
    new Edge({ ...ports, metrics, prefix, beautifyHeader, trustProxy, tls: secrets.tls })
  const edge = newEdge()
  const door = keyDoor({ basic, database, clock, publicUrl })
  mountCloud(edge, door, given.kinds ?? [sims.kind], sims)
  // The page asks the operator API, so it is there where that is.
  if (config.operatorPort === undefined) servePage(edge.server, readPage(`${prefix}${CLOUD.base}`))

  const operatorEdge = config.operatorPort === undefined ? edge : newEdge()
  const cloud: Cloud = { edge, operatorEdge, jobs, ring, ready: false }
  state.isReady = () => cloud.ready
  const operator = operatorHandlers({
    clock,
    ring,
    world,
    ca: secrets.ca,
    isReady: state.isReady,
    metrics: () => metricsText(metrics, jobs),
    remember: (file) => worlds.remember(file),
    reset: (to, now) => reset(storage, ring, to === 'world' ? worlds : undefined, now),
  })
  const ownDoor = { token: secrets.operatorToken, ownNames: ownNames(config) }
  const operatorSide = operatorDoor({ ...ownDoor, database, clock, publicUrl })
  mountOperator(operatorEdge, operatorSide, operator, sims)
  gateways.mount({ edge, operatorEdge, door, operatorDoor: operatorSide })
  return cloud
}

type Sims = ReturnType<typeof composeSims>

/** What the interface has. */
function mountCloud(edge: Edge, door: Door<Context>, kinds: readonly ItemKind[], sims: Sims): void {
  const family = CLOUD
  const items = itemsHandlers(new ItemKinds(kinds))
  edge.mount({ family, contract: accountContract, handlers: accountHandlers, door })
  edge.mount({ family, contract: itemsContract, handlers: items, door })
  edge.mount({ family, contract: simContract, handlers: sims.handlers, door })
}

/** What is ours. */
function mountOperator(
  edge: Edge,
  door: Door<OperatorContext>,
  operator: ReturnType<typeof operatorHandlers>,
  sims: Sims,
): void {
  const family = OPERATOR
  edge.mount({ family, contract: operatorContract, handlers: operator, door })
  edge.mount({ family, contract: devicesContract, handlers: sims.devicesHandlers, door })
}

/** Everything goes; the worlds of the start come back, if they are given. */
async function reset(
  { database, blobs }: Storage,
  ring: KeyRing,
  worlds: StartWorlds | undefined,
  now: Date,
): Promise<void> {
  await database.write(async (tx) => {
    await wipe(tx)
    await worlds?.applyAll(tx, now)
    tx.afterCommit(() => ring.forget())
  })
  await blobs.clear()
}

/** The names under which the operator API may be called, besides addresses and localhost. */
function ownNames({ host, publicUrl }: Config): ReadonlySet<string> {
  const names = [host, publicUrl && URL.parse(publicUrl)?.hostname]
  return new Set(names.filter((name): name is string => !!name && isIP(name) === 0))
}
