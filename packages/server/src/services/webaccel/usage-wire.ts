import type { Site } from './site-rules.ts'

interface Counted {
  readonly accessCount: number
  readonly bytesSent: number
  readonly cacheMissBytesSent: number
}

/** The two ratios are percent with two decimals: of the bytes, which alone are counted both ways. */
export function usageToWire(site: Site, usage: Counted, priceYen: number) {
  const hit = usage.bytesSent - usage.cacheMissBytesSent
  const ratio = usage.bytesSent === 0 ? 0 : Math.round((hit / usage.bytesSent) * 10_000) / 100
  return {
    SiteID: site.id,
    Domain: site.settings.domain,
    ASCIIDomain: site.asciiDomain,
    Subdomain: site.subdomain,
    AccessCount: usage.accessCount,
    BytesSent: usage.bytesSent,
    CacheMissBytesSent: usage.cacheMissBytesSent,
    CacheHitRatio: ratio,
    BytesCacheHitRatio: ratio,
    Price: priceYen,
  }
}
