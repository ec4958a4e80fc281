/** What somebody should look at. Each part is found by itself; one that fails does not hide the others. */
import { formatBytes, formatTime } from '../../format.ts'
import { serverNow } from '../../server-time.ts'
import { cloud, hasKey, hasOperator, session } from '../../session.ts'
import { readControl } from '../gateways/traffic-control.ts'
import { detailOf, iccidOf } from '../sims/sim.ts'
import { overviewText } from './texts.ts'

export interface Concern {
  readonly key: string
  readonly text: string
  readonly href: string
  readonly tone: 'bad' | 'warn' | 'info'
}

export interface Attention {
  readonly concerns: readonly Concern[]
  /** The names of the parts that could not be looked at. */
  readonly unseen: readonly string[]
}

const MB = 1_000_000
const SOON_DAYS = 30
const DAY_MS = 86_400_000
/** How many gateways, and how many SIMs that are not connected, are looked at. */
const LOOKED_AT = 20

type Find = (signal: AbortSignal) => Promise<Concern[]>

export async function findAttention(signal: AbortSignal): Promise<Attention> {
  const now = session.value
  const parts: [string, Find][] = [
    ...(hasKey(now)
      ? ([
          [overviewText('quotas'), passedQuotas],
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

const passedQuotas: Find = async (signal) => {
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
      if (used <= quota) return []
      const texts = { name: name || id, used: formatBytes(used), quota: formatBytes(quota) }
      const text = overviewText('quotaPassed', texts)
      return [{ key: `quota ${id}`, text, href: `#/gateways/${id}?tab=traffic`, tone: 'bad' }]
    }),
  )
  return concerns.flat()
}

const refusedDevices: Find = async (signal) => {
  const { CommonServiceItems } = await cloud().orThrow.itemList(
    {
      search: {
        ...{ Count: 100, Sort: ['-ModifiedAt'], Include: ['*', 'Status.sim'] },
        Filter: { 'Provider.Class': 'sim' },
      },
    },
    { signal },
  )
  const absent = CommonServiceItems.filter((item) => detailOf(item).session_status !== 'UP')
  const concerns = await Promise.all(
    absent.slice(0, LOOKED_AT).map(async (item): Promise<Concern[]> => {
      const params = { iccid: iccidOf(item) }
      const { refusals } = await cloud().orThrow.deviceRefusals({ params }, { signal })
      const [newest] = refusals
      if (newest === undefined) return []
      const texts = { name: item.Name || params.iccid, reason: newest.reason }
      const text = overviewText('refused', texts)
      const href = `#/sims/${item.ID}?tab=refused`
      return [{ key: `refused ${item.ID}`, text, href, tone: 'warn' }]
    }),
  )
  return concerns.flat()
}

const deadLetters: Find = async (signal) => {
  const search = { Count: 100 }
  const [{ notices }, { messages }] = await Promise.all([
    cloud().orThrow.noticeList({ search }, { signal }),
    cloud().orThrow.smsOutboxList({ search }, { signal }),
  ])
  const lost = notices.filter(({ status }) => status === 'failed')
  const failed = messages.filter(({ status }) => /fail/i.test(status))
  return [
    ...lost.map(
      ({ id, gateway_id }): Concern => ({
        ...{ key: `notice ${id}`, text: overviewText('notice', { id: gateway_id }) },
        ...{ href: `#/gateways/${gateway_id}`, tone: 'bad' },
      }),
    ),
    ...(failed.length === 0
      ? []
      : [
          {
            ...{ key: 'messages', text: overviewText('messages', { count: failed.length }) },
            ...{ href: '#/sms', tone: 'warn' as const },
          },
        ]),
  ]
}

const endingCertificates: Find = async (signal) => {
  const soon = (await serverNow(signal)) + SOON_DAYS * DAY_MS
  const { Sites } = await cloud().orThrow.siteList({}, { signal })
  return Sites.flatMap(({ ID, Name, CertValidNotAfter }): Concern[] => {
    const end = Number(CertValidNotAfter ?? 0)
    if (!(end > 0) || end > soon) return []
    const text = overviewText('certificate', { name: Name, time: formatTime(end) })
    return [{ key: `certificate ${ID}`, text, href: `#/webaccel/${ID}`, tone: 'warn' }]
  })
}

const ownMaintenances: Find = async (signal) => {
  const now = await serverNow(signal)
  const query = { Filter: { search_type: 'related', page_count: 100 } } as const
  const { maintenances } = await cloud().orThrow.maintenanceList({ query }, { signal })
  return maintenances
    .filter(({ end_at }) => japanTime(end_at) > now)
    .map(({ maintenance_id, title, start_at, end_at }) => ({
      key: `maintenance ${maintenance_id}`,
      text: overviewText('maintenance', { title, start: start_at, end: end_at }),
      ...{ href: '#/maintenance', tone: 'info' },
    }))
}

/** The interface writes these without an offset. */
function japanTime(text: string): number {
  return Date.parse(/[zZ]|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text.replace(' ', 'T')}+09:00`)
}
