/** Puts the parts together: the only place that knows all of them. Nothing listens or runs yet. */
import { isIP } from 'node:net'
import type { Config } from './config.ts'
import { CLOUD, families, IAM, OPERATOR } from './contracts.ts'
import { BasicDoor } from './http/auth/basic.ts'
import { accountDoor, keyDoor, operatorDoor } from './http/door.ts'
import type { Tls } from './http/listeners.ts'
import { serveOpenApi } from './http/openapi-files.ts'
import { RequestMetrics } from './http/request-metrics.ts'
import { Edge, type Front } from './http/server.ts'
import { serveConsole } from './http/static.ts'
import { JobDriver } from './jobs/driver.ts'
import type { Wake } from './kernel/job.ts'
import type { Profile } from './kernel/profile.ts'
import { SecretBox } from './kernel/secret-box.ts'
import type { Words } from './kernel/words.ts'
import { accountContract } from './services/account/contract.ts'
import { identityContract } from './services/account/identity-contract.ts'
import { KeyRing } from './services/account/public.ts'
import { accountHandlers, identityHandlers } from './services/account/routes.ts'
import { accountsSection } from './services/account/world.ts'
import { gatewayNetworks } from './services/gateway/public.ts'
import { projectNetworks } from './services/iot/public.ts'
import { Signals } from './services/iot/signals.ts'
import { itemsContract } from './services/items/contract.ts'
import { type ItemKind, ItemKinds } from './services/items/public.ts'
import { itemsHandlers } from './services/items/routes.ts'
import { operatorContract } from './services/operator/contract.ts'
import { World } from './services/operator/public.ts'
import { type OperatorParts, operatorHandlers } from './services/operator/routes.ts'
import { settingsSection } from './services/settings/world.ts'
import { joinNetworks, type Networks } from './services/sim/public.ts'
import { billingPlug } from './start/billing.ts'
import type { Crew, Rules } from './start/company.ts'
import { consoleBuild } from './start/console.ts'
import { type Control, controlFor } from './start/control.ts'
import { checkEncryptionKey } from './start/encryption-check.ts'
import { plugGateways } from './start/gateways.ts'
import { plugIot } from './start/iot.ts'
import { metricsText } from './start/metrics.ts'
import { joinPlugs, type Mounts, type Plug } from './start/plug.ts'
import type { Ports } from './start/ports.ts'
import { readProfile } from './start/profile.ts'
import type { Hearers, Reports } from './start/reports.ts'
import { plugSims } from './start/sims.ts'
import { plugSms } from './start/sms.ts'
import type { Storage } from './start/storage.ts'
import { plugWebaccel } from './start/webaccel.ts'
import { StartWorlds } from './start/worlds.ts'
import { plugZones } from './start/zones.ts'
import type { Database } from './storage/database.ts'
import { truncateAll } from './storage/truncate.ts'

/** What is read from the data folder, or made up where there is none. */
export interface Secrets {
  readonly encryptionKey: Uint8Array
  readonly operatorToken: string
  /** Without it the edges speak plain HTTP, as for `inject` in tests. */
  readonly tls: Tls | undefined
  readonly ca: string | undefined
}

/** Stands at a port instead of what belongs there; for tests. */
export interface Given {
  readonly kinds?: readonly ItemKind[] | undefined
  readonly networks?: Networks | undefined
  /** For a process among several (docs/adr/0160): what a front hands on, what a lead asks of its fronts. */
  readonly front?: Front & { readonly reports: Reports }
  readonly crew?: Crew | undefined
}

export interface Cloud {
  readonly edge: Edge
  /** The same as `edge` unless the operator API has a listener of its own. */
  readonly operatorEdge: Edge
  readonly jobs: JobDriver
  readonly ring: KeyRing
  readonly rules: () => Rules
  /** Where it goes what a front has answered and done. */
  readonly hearers: Hearers
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
  const { clock } = ports
  const { database } = storage
  const { front, crew } = given
  const profile = readProfile(config.profile)
  const { words } = profile
  const box = new SecretBox(secrets.encryptionKey)
  const { basic, ring } = openKeys(database, ports, box, crew)
  const wake = (job: string) => (front === undefined ? jobs.wake(job) : front.reports.wake(job))
  const signals = new Signals()
  if (front !== undefined) signals.listen((projectId) => front.reports.signal(projectId))
  const networks = given.networks ?? joinNetworks([gatewayNetworks(clock, wake), projectNetworks])
  const control = controlFor({
    ...{ config, ports, storage, box, ring, words, crew, reports: front?.reports },
    jobs: () => jobs,
  })
  const slices = plugSlices({
    ...{ config, ports, storage, secrets, profile, box, ring, networks, wake, control, signals },
    kinds: given.kinds ?? [],
  })

  const { changed: onChange, log, rules } = control
  const jobs: JobDriver = new JobDriver({ ...ports, database, jobs: slices.jobs, onChange })
  const world = new World(slices.sections)
  const worlds = new StartWorlds(world, config.worlds, config.mode === 'dev')
  // A front finds what its lead has left.
  if (front === undefined) {
    await checkEncryptionKey(database, box)
    await worlds.applyAtStart(database, clock.now())
  }

  const metrics = front?.reports.metrics ?? new RequestMetrics()
  const mounts = openMounts({
    ...{ config, ports, storage, secrets, basic, metrics, control, words, front },
    settled: crew && (() => crew.settled(rules())),
  })
  mountCommon(mounts, new ItemKinds(slices.kinds))
  slices.mount(mounts)

  const cloud: Cloud = {
    ...{ edge: mounts.edge, operatorEdge: mounts.operatorEdge, jobs, ring, rules, ready: false },
    hearers: { log, metrics, wake, signal: (projectId) => signals.emit(projectId) },
  }
  mountOperator(mounts, {
    ...{ ring, world, ca: secrets.ca },
    isReady: () => cloud.ready,
    metrics: () => metricsText(metrics, jobs, crew),
    remember: (file) => worlds.remember(file),
    wakeJobs: () => jobs.wakeAll(),
    reset: (to, now) => reset(to, now, { storage, ring, worlds, control }),
  })
  return cloud
}

function openKeys(
  database: Database,
  { clock, random }: Ports,
  box: SecretBox,
  crew: Crew | undefined,
): { readonly basic: BasicDoor; readonly ring: KeyRing } {
  const basic = new BasicDoor(
    ({ token, secret }) => ring.verify(database, token, secret),
    () => clock.now(),
  )
  const ring = new KeyRing(box, random, () => {
    basic.forget()
    crew?.forgetKeys()
  })
  return { basic, ring }
}

function mountOperator({ operatorEdge, operatorDoor: door }: Mounts, parts: OperatorParts): void {
  const handlers = operatorHandlers(parts)
  operatorEdge.mount({ family: OPERATOR, contract: operatorContract, handlers, door })
}

interface SliceParts {
  readonly config: Config
  readonly ports: Ports
  readonly storage: Storage
  readonly secrets: Secrets
  readonly profile: Profile
  readonly box: SecretBox
  readonly ring: KeyRing
  readonly networks: Networks
  readonly wake: Wake
  readonly control: Control
  readonly kinds: readonly ItemKind[]
  readonly signals: Signals
}

/** All slices; what others refer to comes first. */
function plugSlices(parts: SliceParts): Required<Plug> {
  const { config, ports, profile, box, ring, networks, wake } = parts
  const { database } = parts.storage
  const { random } = ports
  const { words } = profile
  return joinPlugs([
    { sections: [accountsSection(ring), settingsSection], kinds: parts.kinds },
    plugZones,
    plugSims({ database, box, networks, wake, words, isStrict: config.policy === 'strict' }),
    plugGateways({ config, profile, networks, wake }),
    plugIot({
      ...{ config, ports, storage: parts.storage, box, networks, wake, words },
      signals: parts.signals,
      encryptionKey: parts.secrets.encryptionKey,
    }),
    plugSms({ config, ports, database, box, wake, words }),
    parts.control.plug,
    plugWebaccel({
      ...{ config, box, random, ring, words, wake },
      nonceKey: parts.secrets.encryptionKey,
    }),
    billingPlug,
  ])
}

/** What all kinds of resources share. */
function mountCommon({ edge, door, keyOptions }: Mounts, kinds: ItemKinds): void {
  const identity = { contract: identityContract, handlers: identityHandlers }
  edge.mount({ family: IAM, door: accountDoor(keyOptions), ...identity })
  edge.mount({ family: CLOUD, contract: accountContract, handlers: accountHandlers, door })
  edge.mount({ family: CLOUD, contract: itemsContract, handlers: itemsHandlers(kinds), door })
}

interface EdgeParts {
  readonly config: Config
  readonly ports: Ports
  readonly storage: Storage
  readonly secrets: Secrets
  readonly basic: BasicDoor
  readonly metrics: RequestMetrics
  readonly control: Control
  readonly words: Words
  readonly front: Front | undefined
  readonly settled: (() => Promise<void>) | undefined
}

function openMounts(parts: EdgeParts): Mounts {
  const { config, ports, metrics, basic, front, settled } = parts
  const { database } = parts.storage
  const { tls, operatorToken: token } = parts.secrets
  const { faults, inspection } = parts.control
  const { beautifyHeader, bigintHeader } = parts.words
  const { publicUrl, prefix, trustProxy, checkAnswers, faultHeader } = config
  const newEdge = () =>
    new Edge({
      ...{ ...ports, metrics, faults, inspection, prefix, beautifyHeader, checkAnswers },
      ...{ trustProxy, tls, faultHeader, front },
    })
  const edge = newEdge()
  const operatorEdge = config.operatorPort === undefined ? edge : newEdge()
  serveConsoles(config, edge, operatorEdge)
  serveOpenApi(
    edge,
    families.filter((family) => family !== OPERATOR),
    publicUrl,
    prefix,
  )
  serveOpenApi(operatorEdge, [OPERATOR], publicUrl, prefix)
  const common = { database, clock: ports.clock, publicUrl, bigintHeader }
  const keyOptions = { ...common, basic }
  return {
    edge,
    operatorEdge,
    door: keyDoor(keyOptions),
    keyOptions,
    operatorDoor: operatorDoor({ ...common, token, ownNames: ownNames(config), settled }),
  }
}

/** A page may call its own origin alone, so that each listener has one for what it answers. */
function serveConsoles({ prefix }: Config, edge: Edge, operatorEdge: Edge): void {
  const folder = consoleBuild()
  const isOne = edge === operatorEdge
  const operator = OPERATOR.base
  serveConsole(edge, { folder, api: prefix, operator: isOne ? operator : undefined })
  if (!isOne) serveConsole(operatorEdge, { folder, api: undefined, operator })
}

/** Everything goes; the worlds of the start come back, or a snapshot, if that is wanted. */
async function reset(
  to: string,
  now: Date,
  parts: { storage: Storage; ring: KeyRing; worlds: StartWorlds; control: Control },
): Promise<void> {
  if (to !== 'empty' && to !== 'world') return parts.control.snapshots.load(to, now)
  const { database, blobs } = parts.storage
  await database.replace(async (tx) => {
    await truncateAll(tx)
    if (to === 'world') await parts.worlds.applyAll(tx, now)
    tx.afterCommit(() => parts.ring.forget())
  })
  await blobs.clear()
}

/** The names under which the operator API may be called, besides addresses and localhost. */
function ownNames({ host, publicUrl }: Config): ReadonlySet<string> {
  const names = [host, publicUrl && URL.parse(publicUrl)?.hostname]
  return new Set(names.filter((name): name is string => !!name && isIP(name) === 0))
}
