/** What somebody should look at. Each part is found by itself; one that fails does not hide the others. */
import { formatBytes, formatTime } from '../../format.ts'
import { serverNow } from '../../server-time.ts'
import { cloud, hasKey, hasOperator, session } from '../../session.ts'
import { readControl } from '../gateways/traffic-control.ts'
import type { Concern, Find } from './concern.ts'
import { deadLetters, refusedDevices } from './failures.ts'
import { overviewText } from './texts.ts'

export interface Attention {
  readonly concerns: readonly Concern[]
  /** The names of the parts that could not be looked at. */
  readonly unseen: readonly string[]
}

const MB = 1_000_000
/** The part of a quota from which on it is near. */
const NEAR = 0.8
const SOON_DAYS = 30
const DAY_MS = 86_400_000
/** The kind of certificate that the service renews: docs/webaccel.md. */
const AUTOMATIC = '2'
/** How many gateways are looked at. */
const LOOKED_AT = 20

export async function findAttention(signal: AbortSignal): Promise<Attention> {
  const now = session.value
  const parts: [string, Find][] = [
    ...(hasKey(now)
      ? ([
          [overviewText('quotas'), reachedQuotas],
          [overviewText('certificates'), endingCertificates],
          [overviewText('maintenances'), ownMaintenances],
        ] satisfies [string, Find][])
      : []),
    ...(hasOperator(now)
      ? ([[overviewText('deadLetters'), deadLetters]] satisfies [string, Find][])
      : []),
    ...(hasKey(now) && hasOperator(now)
      ? ([[overviewText('refusals'), refusedDevices]] satisfies [string, Find][])
      : []),
  ]
  const found = await Promise.allSettled(parts.map(([, find]) => find(signal)))
  return {
    concerns: found.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    unseen: parts.flatMap(([name], at) => (found[at]?.status === 'rejected' ? [name] : [])),
  }
}

const reachedQuotas: Find = async (signal) => {
  const search = { Count: LOOKED_AT }
  const { Appliances } = await cloud().orThrow.gatewayList({ search }, { signal })
  const concerns = await Promise.all(
    Appliances.map(async ({ ID: id = '', Name: name }): Promise<Concern[]> => {
      const control = await readControl(id, signal)
      if (control === null) return []
      const params = { appliance_id: id }
      const { traffic_status } = await cloud().orThrow.gatewayTrafficRead({ params }, { signal })
      const used = Number(traffic_status.uplink_bytes) + Number(traffic_status.downlink_bytes)
      const quota = control.traffic_quota_in_mb * MB
      if (used < quota * NEAR) return []
      const isPassed = used > quota
      const texts = { name: name || id, used: formatBytes(used), quota: formatBytes(quota) }
      const text = overviewText(isPassed ? 'quotaPassed' : 'quotaNear', texts)
      const href = `#/gateways/${id}?tab=traffic`
      return [{ key: `quota ${id}`, text, href, tone: isPassed ? 'bad' : 'warn' }]
    }),
  )
  return concerns.flat()
}

const endingCertificates: Find = async (signal) => {
  const now = await serverNow(signal)
  const concerns: Concern[] = []
  const sites = cloud().each.siteList({}, { signal })
  for await (const { ID, Name, CertType, CertValidNotAfter } of sites) {
    const end = Number(CertValidNotAfter ?? 0)
    const isOver = end <= now
    // One that is renewed by itself needs nobody until that has failed.
    if (end === 0 || end > now + SOON_DAYS * DAY_MS || (CertType === AUTOMATIC && !isOver)) continue
    const texts = { name: Name, time: formatTime(end) }
    const text = overviewText(isOver ? 'certificateOver' : 'certificate', texts)
    const href = `#/webaccel/${ID}?tab=certificate`
    concerns.push({ key: `certificate ${ID}`, text, href, tone: isOver ? 'bad' : 'warn' })
  }
  return concerns
}

const ownMaintenances: Find = async (signal) => {
  const now = await serverNow(signal)
  const query = { Filter: { search_type: 'related', page_count: 100 } } as const
  const { maintenances } = await cloud().orThrow.maintenanceList({ query }, { signal })
  return maintenances
    .filter(({ end_at }) => japanTime(end_at) > now)
    .map(({ maintenance_id, title, start_at, end_at }) => ({
      key: `maintenance ${maintenance_id}`,
      text: overviewText('maintenance', {
        ...{ title, start: formatTime(japanTime(start_at)), end: formatTime(japanTime(end_at)) },
      }),
      ...{ href: '#/maintenance', tone: 'info' },
    }))
}

/** The interface writes these without an offset. */
function japanTime(text: string): number {
  return Date.parse(/[zZ]|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text.replace(' ', 'T')}+09:00`)
}
