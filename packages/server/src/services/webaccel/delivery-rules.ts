import { isIP } from 'node:net'
import { BadRequest } from '../../kernel/errors.ts'
import { hostOf } from './domain-rules.ts'
import type { EdgeProbe } from './edge-types.ts'
import type { Site } from './site-rules.ts'

/** As long as hours are kept at most; the setting `site_hour_days` may keep fewer. */
export const TRAFFIC_HOURS_MAX = 31 * 24
export const TRAFFIC_HOURS = 24
export const PROBE_HEADERS_MAX = 20
export const METHOD_PATTERN = '^[A-Z]{1,20}$'

interface ProbeDraft {
  readonly URL: string
  readonly Method?: string
  readonly Headers?: readonly { readonly Name: string; readonly Value: string }[]
  readonly Address?: string
}

/** The request that edges are asked about. */
export function probeOf(site: Site, draft: ProbeDraft): Omit<EdgeProbe, 'version' | 'siteId'> {
  const { URL: url, Method: method = 'GET', Headers = [], Address: address = '127.0.0.1' } = draft
  const host = hostOf(url)
  if (host !== site.asciiDomain && host !== site.subdomain) {
    throw new BadRequest(
      `Probe.URL must be an http or https address of ${site.asciiDomain} or ${site.subdomain}.`,
      `Probe.URL は ${site.asciiDomain} または ${site.subdomain} の URL で指定してください。`,
    )
  }
  if (isIP(address) === 0) {
    throw new BadRequest(
      'Probe.Address must be an IP address.',
      'Probe.Address は IP アドレスで指定してください。',
    )
  }
  const headers = Headers.map(({ Name, Value }) => [Name.toLowerCase(), Value])
  return { method, url, address, headers: Object.fromEntries(headers) }
}
