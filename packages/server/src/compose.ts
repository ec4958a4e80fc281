/** Puts the parts together: the only place that knows all of them. Nothing listens or runs yet. */
import type { Config } from './config.ts'
import { interfaceOperations, slices } from './contracts.ts'
import type { ApiServer } from './http/server.ts'
import { JobDriver } from './jobs/driver.ts'
import { LeaseStore } from './jobs/lease.ts'
import { RunningClock } from './kernel/clock.ts'
import type { ControlledClock } from './kernel/controlled-clock.ts'
import type { Wake } from './kernel/job.ts'
import type { Profile } from './kernel/profile.ts'
import { SecretBox } from './kernel/secret-box.ts'
import { Metrics } from './metrics/metrics.ts'
import { showProcess } from './metrics/process-metrics.ts'
import { openKeys } from './open-keys.ts'
import { openCertificates, openMqtt, smsTransport } from './open-planes.ts'
import { openServers } from './open-servers.ts'
import type { Parts, Storage } from './parts.ts'
import type { MqttPlane } from './planes/mqtt/plane.ts'
import { post, postJson } from './planes/outbound/post.ts'
import { lazyRadclient } from './planes/radius/lazy-radclient.ts'
import { FLEET_JOB, fleetJob } from './planes/simulator/fleet-job.ts'
import { TIMES, WebsocketPlane } from './planes/websocket/plane.ts'
import { accountModule } from './services/account/module.ts'
import type { KeyRing, KeyUses } from './services/account/public.ts'
import { auditModule } from './services/audit/module.ts'
import { AuditStore, openAudit } from './services/audit/public.ts'
import { billingModule } from './services/billing/module.ts'
import type { Certificates } from './services/certificates/module.ts'
import { SEALED_BY_ACME } from './services/certificates/public.ts'
import { startClock } from './services/control/clock-start.ts'
import type { Locks } from './services/control/lock.ts'
import { controlModule } from './services/control/module.ts'
import { elementRequestModule } from './services/element-requests/module.ts'
import { queuedRequests } from './services/element-requests/public.ts'
import { encryptionModule } from './services/encryption/module.ts'
import { checkEncryptionKey } from './services/encryption/start-check.ts'
import { gatewayModule } from './services/gateway/module.ts'
import { gatewayNetworks, type Notifier, trafficControlBody } from './services/gateway/public.ts'
import { iotModule } from './services/iot/module.ts'
import { ADAPTER_PATHS, projectNetworks } from './services/iot/public.ts'
import { itemsModule } from './services/items/module.ts'
import { mailModule } from './services/mail/module.ts'
import { newMessageId } from './services/mail/public.ts'
import { maintenanceModule } from './services/maintenance/module.ts'
import type { Module } from './services/module.ts'
import { networkModule } from './services/network/module.ts'
import { elements } from './services/network/public.ts'
import { demoPastJob, operatorModule, StartWorlds, World } from './services/operator/public.ts'
import { pricingModule } from './services/pricing/module.ts'
import { radiusModule } from './services/radius/module.ts'
import { retentionJob } from './services/retention/public.ts'
import { settingsModule } from './services/settings/module.ts'
import { simModule } from './services/sim/module.ts'
import { type Devices, joinNetworks } from './services/sim/public.ts'
import { smsModule } from './services/sms/module.ts'
import { ReportTokens, type Transport } from './services/sms/public.ts'
import { webaccelModule } from './services/webaccel/module.ts'
import type { DatabaseEdges } from './services/webaccel/public.ts'
import { zonesModule } from './services/zones/module.ts'
import type { Database, Tx } from './storage/database.ts'
import { backlogs } from './storage/outbox.ts'
import { traced } from './storage/traced.ts'
import { truncateAll } from './storage/truncate.ts'

export interface Cloud {
  readonly api: ApiServer
  /** The same as `api` unless the operator API has a listener of its own. */
  readonly operatorApi: ApiServer
  readonly jobs: JobDriver
  readonly ring: KeyRing
  readonly keyUses: KeyUses
  readonly metrics: Metrics
  /** Only where a port was asked for. */
  readonly mqtt: MqttPlane | undefined
  readonly edges: DatabaseEdges
  /** Only where certificates are ordered. */
  readonly certificates: Certificates | undefined
  /** Whether `/health/ready` says so. */
  ready: boolean
  /** Where the API listens, once it does. */
  origin: string
}

export async function compose(config: Config, parts: Parts): Promise<Cloud> {
  const { ports, storage, secrets, sources } = parts
  const { clock } = ports
  const { database } = storage
  const box = new SecretBox(secrets.encryptionKeys)
  const metrics = new Metrics()
  const keys = openKeys(parts, box, metrics)
  const { ring } = keys
  const wake = (job: string) => jobs.wake(job)
  const reportTokens = new ReportTokens(secrets.encryptionKeys)
  const transport = await smsTransport(config, parts, reportTokens, () => cloud.origin)
  const certificates = await openCertificates(config, parts, box)
  const shared = { config, parts, box, ring, wake, transport, reportTokens, certificates }
  const locks = locksOf(config)
  const control = controlModule({
    ...{ database, clock, random: ports.random, box, locks, config },
    ...{ files: storage.blobs, snapshots: storage.snapshots, operations: interfaceOperations },
    secrets: () => secretParts(sources.profile),
    onLoading,
    onLoaded: () => {
      ring.forget()
      jobs.wakeAll()
    },
  })
  const { modules, live, links, edges, pasts } = sliceModules(shared)
  const jobs: JobDriver = new JobDriver({
    ...{ ...ports, database, onChange: control.onJobChange },
    jobs: [...jobsOf(modules), demoPastJob(pasts, () => jobs.wakeAll())],
  })

  const world = new World(modules.flatMap(({ sections }) => sections ?? []))
  const worlds = new StartWorlds(world, sources, config.mode === 'dev', pasts)
  await checkEncryptionKey(database, box)
  const mustBeReal = Object.values(locks).includes(true)
  await startClock(database, clock, { setting: config.clock, mustBeReal })
  await worlds.applyAtStart(database, clock)

  showProcess(metrics.registry, { load: () => database.load?.(), keyCache: keys.basic.uses })
  const operator = operatorModule({
    ...{ ring, world, ca: secrets.ca, locks, version: sources.version },
    isReady: () => cloud.ready,
    metrics: () => metricsText(metrics, parts, jobs),
    remember: (file) => worlds.remember(file),
    wakeJobs: () => jobs.wakeAll(),
    async reset(to, now) {
      if (to !== 'empty' && to !== 'world') return control.snapshots.load(to, now)
      await empty(storage, ring, async (tx) => {
        if (to === 'world') await worlds.applyAll(tx, now)
      })
    },
  })
  const servers = openServers({
    ...{ config, ports, database: traced(database, ports.tracing), secrets, sources, keys },
    ...{ metrics, faults: control.faults, inspection: control.inspection },
    audit: openAudit(database, ports.log),
    operations: [...modules, control, operator].flatMap(({ operations }) => operations ?? []),
  })
  const clocks = { machine: new RunningClock(), world: clock }
  servers.api.upgrade(new WebsocketPlane({ live, log: ports.log, ...clocks, ...TIMES }))
  const mqtt = await openMqtt(config, { ...ports, links, registry: metrics.registry })
  const opened = { ...servers, jobs, ring, keyUses: keys.uses, metrics, mqtt, edges, certificates }
  const cloud: Cloud = { ...opened, ready: false, origin: '' }
  return cloud
}

const locksOf = (config: Config): Locks => ({
  operating: config.mode === 'operate',
  severalWorkers: config.workers > 1,
  ordersCertificates: config.acme !== undefined,
})

async function metricsText(metrics: Metrics, parts: Parts, jobs: JobDriver): Promise<string> {
  const { clock, log } = parts.ports
  const shared = async () => {
    const waiting = await parts.storage.database.read((tx) => backlogs(tx, clock.now()))
    return { jobs: await jobs.results(), backlogs: waiting }
  }
  // Without its database a server shows what it measures itself: then above all somebody looks.
  const state = await shared().catch((err: unknown) => {
    log.error({ err }, 'metrics without the database')
    return undefined
  })
  return metrics.text(state, await parts.collectMetrics?.())
}

interface Shared {
  readonly config: Config
  readonly parts: Parts
  readonly box: SecretBox
  readonly ring: KeyRing
  readonly wake: Wake
  readonly transport: Transport | undefined
  readonly reportTokens: ReportTokens
  readonly certificates: Certificates | undefined
}

/** The slices; what others refer to comes first. */
function sliceModules(shared: Shared) {
  const { config, parts, box, ring, wake, transport, reportTokens, certificates } = shared
  const { clock, log, random, mail: mailer } = parts.ports
  const { database, blobs } = parts.storage
  const { profile } = parts.sources
  const { encryptionKeys } = parts.secrets
  const { words, zones } = profile
  const isStrict = config.policy === 'strict'
  const outbound = { allowPrivate: config.privateTargets === 'allow' }
  const notifier: Notifier = {
    wake,
    newMessageId: mailer && (() => newMessageId(random, mailer.from)),
  }
  const networks =
    parts.networks ??
    joinNetworks([gatewayNetworks(clock, notifier), projectNetworks], queuedRequests(wake))
  const wakeFleet = () => wake(FLEET_JOB)
  const sim = simModule({ database, box, networks, elements, words, isStrict, wake, wakeFleet })
  const gateway = gatewayModule({
    ...{ profile, networks, clock, isStrict, mailer, notifier },
    provisioningSeconds: config.provisioningSeconds,
    postChat: (url, body) => postJson(url, body, outbound),
  })
  const iot = iotModule({
    ...{ database, blobs, box, random, clock, log, encryptionKeys, networks, words, wake },
    post: (url, body, headers) => post(url, body, headers, outbound),
  })
  const sms = smsModule({
    ...{ box, random, database, wake, words, isStrict, transport, reportTokens },
    ...{ reportSecret: parts.secrets.sms?.secret, hasMagic: config.mode === 'dev' },
  })
  const webaccel = webaccelModule({
    ...{ database, box, random, profile, isStrict, wake, machine: new RunningClock() },
    ...{ edgeToken: parts.secrets.edgeToken, orders: certificates?.orders },
  })
  const kinds = [...(parts.kinds ?? []), sim.kind, iot.kind, sms.kind]
  const modules: Module[] = [
    accountModule(ring),
    settingsModule,
    zonesModule(zones),
    itemsModule(kinds),
    sim,
    { jobs: [fleetOf(sim.devices, clock)] },
    networkModule({ box, carriers: sim.carriers, networks }),
    elementRequestModule({
      ...{ sender: parts.ports.radius ?? lazyRadclient, box, clock },
      relay: config.radiusCoa && { ...config.radiusCoa, secret: parts.secrets.networkToken },
    }),
    radiusModule({
      ...{ networks, elements, wake, accounting: sim.devices.accounting },
      token: parts.secrets.networkToken,
    }),
    gateway,
    mailModule(mailer, random),
    iot,
    sms,
    webaccel,
    certificates ?? { sealed: SEALED_BY_ACME },
    pricingModule(zones),
    billingModule,
    maintenanceModule,
    auditModule,
  ]
  const sealed = modules.flatMap((module) => module.sealed ?? [])
  modules.push(encryptionModule(box, sealed, wake, log))
  const pasts = modules.flatMap(({ demoPast }) => demoPast ?? [])
  return { modules, live: iot.live, links: iot.links, edges: webaccel.edges, pasts }
}

function fleetOf(devices: Devices, clock: ControlledClock) {
  return fleetJob(
    (store: Database) => devices.in(store),
    () => clock.movingTo,
  )
}

function jobsOf(modules: readonly Module[]) {
  const aged = modules.flatMap((module) => module.aged ?? [])
  return [...modules.flatMap(({ jobs }) => jobs ?? []), retentionJob(aged)]
}

/** Where secrets are in requests and answers, in the words of the profile too. */
function secretParts({ words }: Profile) {
  return {
    operations: slices.flatMap(({ family, contract }) =>
      Object.values(contract).map((operation) => ({ base: family.base, operation })),
    ),
    renamed: { gatewayTrafficControlUpdate: trafficControlBody(words) },
    paths: [`${ADAPTER_PATHS.websocket}{token}`],
  }
}

/** The rows of a snapshot have replaced all others. */
async function onLoading(tx: Tx): Promise<void> {
  // Whoever held a lease in that world is not running in this one.
  await new LeaseStore(tx).releaseAll()
  await new AuditStore(tx).reserveIds()
}

/** Everything goes, and what `fill` puts there comes in its place, in one transaction. */
async function empty(
  { database, blobs }: Storage,
  ring: KeyRing,
  fill: Parameters<Database['exclusive']>[0],
): Promise<void> {
  await database.exclusive(async (tx) => {
    await truncateAll(tx)
    await fill(tx)
    tx.afterCommit(() => ring.forget())
  })
  await blobs.clear()
}
