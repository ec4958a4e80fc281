/** A caching reverse proxy for the sites of the web accelerator (docs/webaccel.md). */
import { RunningClock } from '../../kernel/clock.ts'
import { clientAddress } from '../../kernel/proxies.ts'
import type { EdgeChanges, EdgeStatus } from '../../services/webaccel/public.ts'
import { ObjectCache } from './cache/cache.ts'
import { Disk } from './cache/disk.ts'
import { keyOf } from './delivery/admission.ts'
import { Delivery } from './delivery/delivery.ts'
import { Recorder } from './delivery/recorder.ts'
import { Certificates } from './listeners/certificates.ts'
import { answeringChallenges } from './listeners/challenges.ts'
import { Listeners } from './listeners/listeners.ts'
import type { Edge, EdgeOptions } from './options.ts'
import { ORIGIN_LIMITS, Origins } from './origin/origins.ts'
import { answerProbe } from './probe.ts'
import { Sites } from './sites.ts'
import { Sync } from './sync.ts'
import { UsageCounters } from './usage.ts'

const CLIENT_HEAD_MS = 15_000

/** Resolves when the ports are open and the server was asked once. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { clock, listen, log, settingsLimitMs } = options
  const nowMs = () => clock.now().getTime()
  const sites = new Sites()
  const usage = new UsageCounters()
  const { memoryBytes, folder, diskBytes } = options.cache
  const disk = folder && diskBytes ? await Disk.open(folder, diskBytes) : undefined
  const cache = new ObjectCache(memoryBytes, disk)
  const recorder = new Recorder(usage, options.accessLog, nowMs)
  const limits = { ...ORIGIN_LIMITS, ...options.originLimits }
  const origins = new Origins({ ...options, limits, machine: new RunningClock() })
  const address: { port?: number; tlsPort?: number } = {}
  const tlsPort = () => options.publicTlsPort ?? address.tlsPort ?? 443
  const delivery = new Delivery({
    ...{ sites, cache, origins, recorder, nowMs },
    tlsPort,
    isVirtual: () => clock.mode !== 'real',
    isCurrent: () => settingsLimitMs === undefined || sync.silentMs <= settingsLimitMs,
  })
  const startedAt = clock.now().toISOString()
  const status = (): EdgeStatus => ({
    ...{ id: options.id, name: options.name, engine: 'embedded', startedAt },
    softwareVersion: options.softwareVersion,
    ...{ cacheBytes: cache.bytes, cacheObjects: cache.objects },
    ...{ hits: recorder.hits, misses: recorder.misses },
  })
  const sync = new Sync({
    ...{ server: options.server, edgeId: options.id, log, status },
    now: () => clock.now(),
    apply: (changes) => apply(changes, sites, delivery),
    probe: (probe) => answerProbe(probe, { sites, cache, nowMs: nowMs(), tlsPort: tlsPort() }),
    takeUsage: () => usage.take(),
  })
  const listeners = new Listeners(
    {
      handle: answeringChallenges(options.findChallenge, (exchange) => {
        try {
          delivery.handle(exchange)
        } catch (error) {
          // A fault of ours ends this request, not the process.
          log.error({ err: error, host: exchange.host }, 'edge has failed to deliver')
          exchange.abort()
        }
      }),
      headMs: options.clientHeadMs ?? CLIENT_HEAD_MS,
      addressOf: (peer, fields) =>
        clientAddress(peer, fields['x-forwarded-for'], options.isTrustedProxy),
    },
    new Certificates(sites, options.localCertificate),
    log,
  )
  await sync.start()
  const { host } = listen
  if (listen.port !== undefined) address.port = await listeners.openPlain(host, listen.port)
  if (listen.tlsPort !== undefined) {
    address.tlsPort = await listeners.openSecure(host, listen.tlsPort)
  }
  return {
    address,
    status,
    site: (id) => sites.get(id)?.site,
    get settingsAt() {
      return sync.settingsAt
    },
    async stop() {
      await listeners.close()
      await sync.stop()
      origins.close()
    },
  }
}

/** When it is back, all of it holds: nothing of before a purge is served or stored any more. */
function apply(changes: EdgeChanges, sites: Sites, delivery: Delivery): void {
  if (changes.isComplete) {
    sites.replace(changes.sites)
    delivery.purge(undefined, undefined)
  } else sites.change(changes.sites, changes.removedSiteIds)
  for (const id of changes.removedSiteIds) delivery.purge(id, undefined)
  for (const { siteId, target } of changes.purges) {
    // Of a bucket's objects the query is no part.
    const isStorage = sites.get(siteId)?.site.origin.type === 'storage'
    const path = isStorage ? target?.replace(/\?.*$/s, '') : target
    delivery.purge(siteId, path == null ? undefined : keyOf(siteId, path))
  }
}
