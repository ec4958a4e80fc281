/** What sites have delivered, metered for the bill (docs/adr/0022-metering.md). */
import { parseDay } from '../../kernel/datetime.ts'
import type { Tx } from '../../storage/database.ts'
import { Meter } from '../metering/public.ts'
import { WEBACCEL_TRAFFIC } from '../pricing/public.ts'
import type { Site } from './site-rules.ts'
import { UsageStore } from './usage-store.ts'

/** What is known of a month has changed: the bill follows the counters, unless it is final. */
export async function meterMonth(tx: Tx, site: Site, month: string): Promise<void> {
  const start = parseDay(`${month.slice(0, 4)}-${month.slice(4)}-01`)
  if (start === undefined) throw new Error(`${month} is no month.`)
  const total = (await new UsageStore(tx).ofMonth([site.id], month)).get(site.id)
  await new Meter(tx).set(useOf(site), total?.bytesSent ?? 0, start)
}

function useOf({ id, accountId, settings }: Site) {
  return { accountId, resourceId: id, name: settings.name, product: WEBACCEL_TRAFFIC }
}
