/** Puts the parts together: the only place that knows all of them. Nothing listens or runs yet. */
import { isIP } from 'node:net'
import type { Config } from './config.ts'
import { CLOUD, families, IAM, OPERATOR } from './contracts.ts'
import { accountAccess, apiKeyAccess, operatorAccess } from './http/auth/access.ts'
import { BasicAuthenticator } from './http/auth/basic.ts'
import type { Tls } from './http/listener.ts'
import { Metrics } from './http/metrics.ts'
import { serveOpenApi } from './http/openapi-files.ts'
import { ApiServer } from './http/server.ts'
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
import { consoleBuild } from './start/console.ts'
import { type Control, controlFor } from './start/control.ts'
import { checkEncryptionKey } from './start/encryption-check.ts'
import { plugGateways } from './start/gateways.ts'
import { plugIot } from './start/iot.ts'
import { joinPlugs, type Mounts, type Plug } from './start/plug.ts'
import type { Ports } from './start/ports.ts'
import { readProfile } from './start/profile.ts'
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
  /** Without it the servers speak plain HTTP, as for `inject` in tests. */
  readonly tls: Tls | undefined
  readonly ca: string | undefined
}

/** Stands at a port instead of what belongs there; for tests. */
export interface Given {
  readonly kinds?: readonly ItemKind[] | undefined
  readonly networks?: Networks | undefined
}

export interface Cloud {
  readonly api: ApiServer
  /** The same as `api` unless the operator API has a listener of its own. */
  readonly operatorApi: ApiServer
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
  const { clock } = ports
  const { database } = storage
  const profile = readProfile(config.profile)
  const { words } = profile
  const box = new SecretBox(secrets.encryptionKey)
  const { basic, ring } = openKeys(database, ports, box)
  const wake = (job: string) => jobs.wake(job)
  const networks = given.networks ?? joinNetworks([gatewayNetworks(clock, wake), projectNetworks])
  const control = controlFor({
    ...{ config, ports, storage, box, ring, words },
    jobs: () => jobs,
  })
  const slices = plugSlices({
    ...{ config, ports, storage, secrets, profile, box, ring, networks, wake, control },
    kinds: given.kinds ?? [],
  })

  const { changed: onChange } = control
  const jobs: JobDriver = new JobDriver({ ...ports, database, jobs: slices.jobs, onChange })
  const world = new World(slices.sections)
  const worlds = new StartWorlds(world, config.worlds, config.mode === 'dev')
  await checkEncryptionKey(database, box)
  await worlds.applyAtStart(database, clock.now())

  const metrics = new Metrics()
  const mounts = openMounts({ config, ports, storage, secrets, basic, metrics, control, words })
  mountCommon(mounts, new ItemKinds(slices.kinds))
  slices.mount(mounts)

  const { api, operatorApi } = mounts
  const cloud: Cloud = { api, operatorApi, jobs, ring, ready: false }
  mountOperator(mounts, {
    ...{ ring, world, ca: secrets.ca, operating: config.mode === 'operate' },
    isReady: () => cloud.ready,
    metrics: async () => metrics.text(await jobs.results()),
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
): { readonly basic: BasicAuthenticator; readonly ring: KeyRing } {
  const basic = new BasicAuthenticator(
    ({ token, secret }) => ring.verify(database, token, secret),
    () => clock.now(),
  )
  const ring = new KeyRing(box, random, () => basic.forget())
  return { basic, ring }
}

function mountOperator(
  { operatorApi, operatorAccess: access }: Mounts,
  parts: OperatorParts,
): void {
  const handlers = operatorHandlers(parts)
  operatorApi.mount({ family: OPERATOR, contract: operatorContract, handlers, access })
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
      signals: new Signals(),
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
function mountCommon({ api, access, keyOptions }: Mounts, kinds: ItemKinds): void {
  const identity = { contract: identityContract, handlers: identityHandlers }
  api.mount({ family: IAM, access: accountAccess(keyOptions), ...identity })
  api.mount({ family: CLOUD, contract: accountContract, handlers: accountHandlers, access })
  api.mount({ family: CLOUD, contract: itemsContract, handlers: itemsHandlers(kinds), access })
}

interface ServerParts {
  readonly config: Config
  readonly ports: Ports
  readonly storage: Storage
  readonly secrets: Secrets
  readonly basic: BasicAuthenticator
  readonly metrics: Metrics
  readonly control: Control
  readonly words: Words
}

function openMounts(parts: ServerParts): Mounts {
  const { config, ports, metrics, basic } = parts
  const { database } = parts.storage
  const { tls, operatorToken: token } = parts.secrets
  const { faults, inspection } = parts.control
  const { beautifyHeader, bigintHeader } = parts.words
  const { publicUrl, prefix, trustProxy, checkAnswers } = config
  const newServer = () =>
    new ApiServer({
      ...{ ...ports, metrics, faults, inspection, prefix, beautifyHeader, checkAnswers },
      ...{ trustProxy, tls },
    })
  const api = newServer()
  const operatorApi = config.operatorPort === undefined ? api : newServer()
  serveConsoles(config, api, operatorApi)
  serveOpenApi(
    api,
    families.filter((family) => family !== OPERATOR),
    publicUrl,
    prefix,
  )
  serveOpenApi(operatorApi, [OPERATOR], publicUrl, prefix)
  const common = { database, clock: ports.clock, publicUrl, bigintHeader }
  const keyOptions = { ...common, basic }
  return {
    api,
    operatorApi,
    access: apiKeyAccess(keyOptions),
    keyOptions,
    operatorAccess: operatorAccess({ ...common, token, ownNames: ownNames(config) }),
  }
}

/** A page may call its own origin alone, so that each listener has one for what it answers. */
function serveConsoles({ prefix }: Config, api: ApiServer, operatorApi: ApiServer): void {
  const folder = consoleBuild()
  const isOne = api === operatorApi
  const operator = OPERATOR.base
  serveConsole(api, { folder, api: prefix, operator: isOne ? operator : undefined })
  if (!isOne) serveConsole(operatorApi, { folder, api: undefined, operator })
}

/** Everything goes; the worlds of the start come back, or a snapshot, if that is wanted. */
async function reset(
  to: string,
  now: Date,
  parts: { storage: Storage; ring: KeyRing; worlds: StartWorlds; control: Control },
): Promise<void> {
  if (to !== 'empty' && to !== 'world') return parts.control.snapshots.load(to, now)
  const { database, blobs } = parts.storage
  await database.exclusive(async (tx) => {
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
