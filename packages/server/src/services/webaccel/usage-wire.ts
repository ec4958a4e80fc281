import type { Site } from './site-rules.ts'
import type { Total } from './usage-rules.ts'

/** The ratios are percent with two decimals. Where hits were not counted, that of the bytes stands for theirs. */
export function usageToWire(site: Site, usage: Total, priceYen: number) {
  const { bytesSent, countedHits, hitCount = 0 } = usage
  const ofBytes = percent(bytesSent - usage.cacheMissBytesSent, bytesSent)
  return {
    SiteID: site.id,
    Domain: site.settings.domain,
    ASCIIDomain: site.asciiDomain,
    Subdomain: site.subdomain,
    AccessCount: usage.accessCount,
    BytesSent: usage.bytesSent,
    CacheMissBytesSent: usage.cacheMissBytesSent,
    CacheHitRatio: countedHits === 0 ? ofBytes : percent(hitCount, countedHits),
    BytesCacheHitRatio: ofBytes,
    Price: priceYen,
  }
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100
}
