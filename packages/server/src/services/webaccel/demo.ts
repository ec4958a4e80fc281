/** What the demo world's sites have delivered by day, and a certificate that is to be renewed soon. */
import { japanDayStart, japanMonth, japanMonthStart } from '../../kernel/datetime.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import { DAY_MS } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { DEMO, type DemoPast, monthsBefore } from '../demo.ts'
import type { Issuer } from './auto-certificate-job.ts'
import { CertificateStore } from './certificate-store.ts'
import { meterMonth } from './deliveries.ts'
import { SITE_DAYS } from './site-issuer.ts'
import type { Site } from './site-rules.ts'
import { findSite } from './site-store.ts'
import type { Usage } from './usage-rules.ts'
import { dayOf, UsageStore } from './usage-store.ts'
import type { Vault } from './vault.ts'

/** Within three weeks, and not today. */
const DAYS_LEFT = 16

export function demoSites(issuer: Issuer, vault: Vault): DemoPast {
  return async (tx, now) => {
    for (const [place, id] of DEMO.siteIds.entries()) {
      const site = await findSite(tx, id)
      if (site === undefined) throw new Error(`There is no site ${id}.`)
      await countDays(tx, site, place, now)
      if (place === 0) await putCertificate(tx, site, issuer, vault, now)
    }
  }
}

/** Each day of the last month and of the running one until today, whose share is that of the day that is over. */
async function countDays(tx: Tx, site: Site, place: number, now: Date): Promise<void> {
  const store = new UsageStore(tx)
  const days: { day: string; usage: Usage }[] = []
  for (let at = monthsBefore(now, 1).getTime(); at < now.getTime(); at += DAY_MS) {
    const share = Math.min(1, (now.getTime() - at) / DAY_MS)
    const date = new Date(at)
    days.push({ day: dayOf(date), usage: usageOf(date, place, share) })
  }
  await store.insertDays(site.id, days)
  for (const month of [monthsBefore(now, 1), japanMonthStart(now)]) {
    if (month < now) await meterMonth(tx, site, japanMonth(month))
  }
}

/** Fewer at the weekend; the second site is smaller and its pages are cached less. */
function usageOf(date: Date, place: number, share: number): Usage {
  const day = Math.floor(japanDayStart(date).getTime() / DAY_MS)
  const isWeekend = [1, 2].includes((day + 4) % 7)
  const visits = (place === 0 ? 82_000 : 31_000) * (isWeekend ? 0.6 : 1) + ((day * 7919) % 9_000)
  const accessCount = Math.floor(visits * share)
  const bytesSent = accessCount * 45_000
  const missed = place === 0 ? 0.09 : 0.22
  return {
    ...{ accessCount, bytesSent },
    hitCount: Math.floor(accessCount * (1 - missed)),
    cacheMissBytesSent: Math.floor(bytesSent * missed),
  }
}

async function putCertificate(
  tx: Tx,
  site: Site,
  issuer: Issuer,
  vault: Vault,
  now: Date,
): Promise<void> {
  const issuedAt = new Date(now.getTime() - (SITE_DAYS - DAYS_LEFT) * DAY_MS)
  const authority = issuer.makeAuthority(issuedAt)
  const { chain, key } = issuer.issue(authority, site.asciiDomain, issuedAt)
  await new CertificateStore(tx).put('current', {
    ...{ id: idFromNumber(await tx.next('resource')), siteId: site.id, chain },
    sealedKey: vault.sealFor(site.id)(key),
    ...{ createdAt: issuedAt, updatedAt: issuedAt },
  })
}
