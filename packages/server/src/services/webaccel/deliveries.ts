/** What sites have delivered, metered for the bill (docs/adr/0022-metering.md). */
import { parseDay } from '../../kernel/datetime.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { Meter } from '../metering/public.ts'
import { WEBACCEL_TRAFFIC } from '../pricing/public.ts'
import type { EdgeUsage } from './edge-types.ts'
import { HourStore } from './hour-store.ts'
import type { Site } from './site-rules.ts'
import { findSite } from './site-store.ts'
import { dayOf, UsageStore } from './usage-store.ts'

/** What is known of a month has changed: the bill follows the counters, unless it is final. */
export async function meterMonth(tx: Tx, site: Site, month: string): Promise<void> {
  const start = parseDay(`${month.slice(0, 4)}-${month.slice(4)}-01`)
  if (start === undefined) throw new Error(`${month} is no month.`)
  const total = (await new UsageStore(tx).ofMonth([site.id], month)).get(site.id)
  await new Meter(tx).set(useOf(site), total?.bytesSent ?? 0, start)
}

/** What edges have delivered since they last reported; sites that are gone since then count no more. */
export async function addDelivered(
  tx: Tx,
  delivered: readonly EdgeUsage[],
  wake: Wake,
): Promise<void> {
  const usage = new UsageStore(tx)
  const hours = new HourStore(tx)
  const meter = new Meter(tx, wake)
  for (const { siteId, hour, ...counted } of delivered) {
    const site = await findSite(tx, siteId)
    if (site === undefined) continue
    const at = new Date(hour)
    await usage.add(site.id, dayOf(at), counted)
    await hours.add(site.id, at, counted)
    await meter.add(useOf(site), counted.bytesSent, at)
  }
}

function useOf({ id, accountId, settings }: Site) {
  return { accountId, resourceId: id, name: settings.name, product: WEBACCEL_TRAFFIC }
}
