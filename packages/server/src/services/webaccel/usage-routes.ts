import type { Handlers } from '../../kernel/contract.ts'
import { japanMonth } from '../../kernel/datetime.ts'
import { BadRequest } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { PriceList, WEBACCEL_TRAFFIC } from '../pricing/public.ts'
import type { webaccelContract } from './contract.ts'
import { SiteStore } from './site-store.ts'
import { UsageStore } from './usage-store.ts'
import { usageToWire } from './usage-wire.ts'

const NOTHING = { accessCount: 0, bytesSent: 0, cacheMissBytesSent: 0, countedHits: 0 }
/** An account has no limit of sites; an answer of all of them needs one. */
const SITES_MAX = 10_000

export const usageHandlers: Pick<Handlers<typeof webaccelContract, Context>, 'monthlyUsageRead'> = {
  async monthlyUsageRead({ query }, { tx, caller, now }) {
    // Clients that name no month send `target=`.
    const target = String(query.target ?? '')
    const month = target === '' ? japanMonth(now) : parseTarget(target)
    const sites = await new SiteStore(tx, caller.accountId).list(0, SITES_MAX)
    const usages = await new UsageStore(tx).ofMonth(
      sites.map(({ id }) => id),
      month,
    )
    const prices = await PriceList.of(tx, caller.accountId)
    return {
      Year: Number(month.slice(0, 4)),
      Month: Number(month.slice(4)),
      MonthlyUsages: sites.map((site) => {
        const usage = usages.get(site.id) ?? NOTHING
        return usageToWire(site, usage, prices.charge(WEBACCEL_TRAFFIC, usage.bytesSent))
      }),
      Success: true,
    }
  },
}

function parseTarget(target: string): string {
  if (!/^[1-9]\d{3}(0[1-9]|1[0-2])$/.test(target)) {
    throw new BadRequest(
      `target must be a year and month of six digits such as 202604; it is ${JSON.stringify(target.slice(0, 40))}.`,
      'target は 202604 のような6桁の年月です。',
    )
  }
  return target
}
