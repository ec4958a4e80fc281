/**
 * The edges of the web accelerator: for the operator, and for edges on machines of their own (`kumoi edge`), which
 * call with the edge token. The shapes are those of edge-types.ts. Secrets of sites leave the server only here.
 */
import { defineContract } from '../../kernel/contract.ts'
import { Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import type { EdgeChanges } from './edge-types.ts'

const EDGE_ID_PATTERN = '^[A-Za-z0-9._-]{1,64}$'
const USAGES_MAX = 10_000
const ANSWER_PARTS_MAX = 100

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Version = Count
const Time = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
})
const Short = Type.String({ maxLength: 200 })
const Path = Type.Object({ edge_id: Type.String({ maxLength: 100 }) })
const EdgePath = Type.Object({ edge_id: Type.String({ pattern: EDGE_ID_PATTERN }) })
const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()])

const Status = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  engine: Type.Enum(['embedded', 'trafficserver']),
  softwareVersion: Short,
  startedAt: Time,
  cacheBytes: Count,
  cacheObjects: Count,
  hits: Count,
  misses: Count,
})

const Usage = Type.Object({
  siteId: Type.String({ maxLength: 100 }),
  hour: Time,
  accessCount: Count,
  hitCount: Count,
  bytesSent: Count,
  cacheMissBytesSent: Count,
})

const bucketMembers = {
  bucket: Type.String(),
  endpoint: Type.String(),
  region: Type.String(),
  accessKeyId: Type.String(),
  secretAccessKey: Secret(),
}

const Site = Type.Object({
  id: Type.String(),
  hosts: Type.Array(Type.String()),
  status: Type.String(),
  requestProtocol: Type.String(),
  origin: Type.Union([
    Type.Object({
      type: Type.Literal('server'),
      protocol: Type.String(),
      host: Type.String(),
      hostHeader: Type.String(),
    }),
    Type.Object({ type: Type.Literal('storage'), docIndex: Type.Boolean(), ...bucketMembers }),
  ]),
  defaultCacheTtlSeconds: Type.Integer(),
  varySupport: Type.Boolean(),
  normalize: Type.String(),
  cors: nullable(Type.Unknown()),
  onetimeSecrets: Type.Array(Secret()),
  guardToken: Secret(),
  acl: Type.String(),
  certificate: nullable(Type.Object({ id: Type.String(), chain: Type.String(), key: Secret() })),
  logUpload: nullable(Type.Object(bucketMembers)),
})

const Changes = Type.Unsafe<EdgeChanges>(
  Type.Object({
    version: Version,
    isComplete: Type.Boolean(),
    sites: Type.Array(Site),
    removedSiteIds: Type.Array(Type.String()),
    purges: Type.Array(
      Type.Object({
        version: Version,
        siteId: Type.String(),
        target: nullable(Type.String()),
      }),
    ),
    probes: Type.Array(
      Type.Object({
        version: Version,
        siteId: Type.String(),
        method: Type.String(),
        url: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        address: Type.String(),
      }),
    ),
  }),
)

const ProbeAnswer = Type.Object({
  action: Type.Enum([
    ...(['hit', 'stale', 'revalidate', 'miss', 'pass', 'redirect', 'preflight', 'refuse'] as const),
  ]),
  status: nullable(Type.Integer()),
  steps: Type.Array(Type.Object({ name: Short, result: Type.String({ maxLength: 2000 }) }), {
    maxItems: ANSWER_PARTS_MAX,
  }),
  objects: Type.Array(
    Type.Object({
      status: Type.Integer(),
      variant: Type.Record(Type.String(), Type.String({ maxLength: 8000 })),
      storedAt: Type.String({ maxLength: 40 }),
      freshUntil: Type.String({ maxLength: 40 }),
      bytes: Count,
      tier: Type.Enum(['memory', 'disk']),
    }),
    { maxItems: ANSWER_PARTS_MAX },
  ),
})

const Edge = Type.Object({
  id: Type.String(),
  name: Type.String(),
  engine: Type.String(),
  software_version: Type.String(),
  is_remote: Type.Boolean(),
  is_live: Type.Boolean(),
  started_at: Type.String(),
  last_seen: Type.String(),
  /** What holds there, of `version` of the answer; null when that is nothing yet. */
  version: nullable(Version),
  /** How old its settings may be; 0 when it has asked for them within seconds and misses nothing. */
  settings_age_seconds: nullable(Type.Integer()),
  cache_bytes: Count,
  cache_objects: Count,
  hits: Count,
  misses: Count,
})

const badToken = 'the edge token is missing or wrong'
const broken = 'a field is missing or has another form'
const unknown = 'there is no such edge; one that asks for changes is known from then on'
const feed = { method: 'POST', access: 'token', params: EdgePath, unlisted: true } as const

export const edgeContract = defineContract({
  edgeList: {
    method: 'GET',
    path: '/edges',
    summary: 'List the edges of the web accelerator',
    access: 'operator',
    reply: Type.Object({ version: Version, edges: Type.Array(Edge) }),
    refuses: {},
  },
  edgeDelete: {
    method: 'DELETE',
    path: '/edges/{edge_id}',
    summary: 'Forget an edge that is gone; one that still asks is known again',
    access: 'operator',
    params: Path,
    reply: Type.Object({}),
    refuses: { not_found: 'there is no such edge' },
  },
})

export const edgeFeedContract = defineContract({
  edgeChanges: {
    ...feed,
    path: '/edges/{edge_id}/changes',
    summary: 'Ask for what has changed for an edge; the answer has secrets of sites in plain',
    body: Type.Object({ status: Status, since: nullable(Version) }),
    reply: Changes,
    refuses: { bad_request: broken, unauthorized: badToken },
  },
  edgeReport: {
    ...feed,
    path: '/edges/{edge_id}/reports',
    summary: 'Report what an edge has delivered; the same sequence adds nothing twice',
    body: Type.Object({
      sequence: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      usage: Type.Array(Usage, { maxItems: USAGES_MAX }),
    }),
    bodyLimitMib: 4,
    reply: Type.Object({}),
    refuses: { bad_request: broken, unauthorized: badToken, not_found: unknown },
  },
  edgeAnswer: {
    ...feed,
    path: '/edges/{edge_id}/answers',
    summary: 'Answer a probe',
    body: Type.Object({ probeVersion: Version, answer: ProbeAnswer }),
    reply: Type.Object({}),
    refuses: { bad_request: broken, unauthorized: badToken },
  },
  edgeChallenge: {
    ...feed,
    path: '/edges/{edge_id}/challenges',
    summary: 'Ask what an authority is to be answered that issues certificates (ACME, http-01)',
    body: Type.Object({ challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{16,128}$' }) }),
    reply: Type.Object({ answer: nullable(Type.String()) }),
    refuses: { bad_request: broken, unauthorized: badToken },
  },
  edgeLeave: {
    ...feed,
    path: '/edges/{edge_id}/leave',
    summary: 'Say that an edge stops, so that no purge waits for it',
    reply: Type.Object({}),
    refuses: { unauthorized: badToken },
  },
})
