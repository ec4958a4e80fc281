/** What the edges do with a site: ours, beyond the interface, so calls of it do not count for its limit. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { SitePath } from './contract.ts'
import { METHOD_PATTERN, PROBE_HEADERS_MAX, TRAFFIC_HOURS_MAX } from './delivery-rules.ts'

const noSite = { not_found: 'there is no such site', forbidden: 'the site is another member’s' }
const own = { access: 'view', external: 'cdn', params: SitePath, uncounted: true } as const

const counts = {
  AccessCount: Type.Integer(),
  HitCount: Type.Integer(),
  BytesSent: Type.Integer(),
  CacheMissBytesSent: Type.Integer(),
}

const Answer = Type.Object({
  ID: Type.String(),
  Name: Type.String(),
  Engine: Type.String(),
  /** Null when the edge did not answer in time; then the rest is empty. */
  Action: Type.Union([Type.String(), Type.Null()]),
  Status: Type.Union([Type.Integer(), Type.Null()]),
  Steps: Type.Array(Type.Object({ Name: Type.String(), Result: Type.String() })),
  Objects: Type.Array(
    Type.Object({
      Status: Type.Integer(),
      Variant: Type.Record(Type.String(), Type.String()),
      StoredAt: Type.String(),
      FreshUntil: Type.String(),
      Bytes: Type.Integer(),
      Tier: Type.String(),
    }),
  ),
})

export const deliveryContract = defineContract({
  siteTrafficRead: {
    method: 'GET',
    path: '/site/{site_id}/traffic',
    summary: 'Read what the edges have delivered of a site, hour by hour up to now',
    ...own,
    plainQuery: true,
    query: Type.Object({
      Hours: Type.Optional(Type.Integer({ minimum: 1, maximum: TRAFFIC_HOURS_MAX })),
    }),
    reply: Type.Object({
      Traffic: Type.Object({
        /** How many edges deliver now. */
        Edges: Type.Integer(),
        Hours: Type.Array(Type.Object({ Hour: Type.String(), ...counts })),
      }),
    }),
    refuses: { ...noSite, bad_request: `Hours is not within 1 and ${TRAFFIC_HOURS_MAX}` },
  },
  siteProbe: {
    method: 'POST',
    path: '/site/{site_id}/probe',
    summary:
      'Ask the edges what they would do with a request, and what they have stored of its URL',
    ...own,
    body: Type.Object({
      Probe: Type.Object({
        URL: Type.String({ maxLength: 2000 }),
        Method: Type.Optional(Type.String({ pattern: METHOD_PATTERN })),
        Headers: Type.Optional(
          Type.Array(
            Type.Object({
              Name: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }),
              Value: Type.String({ maxLength: 2000, pattern: '^[\\t -~]*$' }),
            }),
            { maxItems: PROBE_HEADERS_MAX },
          ),
        ),
        /** Of the client, for the access list; 127.0.0.1 unless given. */
        Address: Type.Optional(Type.String({ maxLength: 64 })),
      }),
    }),
    reply: Type.Object({ Probe: Type.Object({ URL: Type.String(), Edges: Type.Array(Answer) }) }),
    afterCommit: true,
    refuses: {
      ...noSite,
      bad_request: 'the URL is not one of the site, or the address of the client is none',
    },
  },
})
