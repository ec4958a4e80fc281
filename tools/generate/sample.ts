/**
 * An example of a schema, made up from the names of its members: the interface's own words for things are
 * telling enough. The `examples` of a schema win. Undefined when nothing that we know fits.
 */
import type { Json } from './json.ts'

export function sampleOf(schema: Json, key = ''): unknown {
  const [given] = Array.isArray(schema.examples) ? schema.examples : []
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== '')
  const alternatives = schema.anyOf ?? schema.oneOf
  // The first alternative is the thing itself; null and empty ones come after it.
  if (Array.isArray(alternatives)) return sampleOf(alternatives[0], key)
  if (Array.isArray(schema.allOf)) {
    return Object.assign({}, ...schema.allOf.map((one: Json) => sampleOf(one, key)))
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') return objectSample(schema)
  if (type === 'array') return arraySample(schema, key)
  if (type === 'string') return textSample(schema, key)
  if (type === 'integer' || type === 'number') return numberSample(schema, key)
  if (type === 'boolean') return true
  return type === 'null' || type === undefined ? null : undefined
}

function objectSample(schema: Json): unknown {
  const sample: Record<string, unknown> = {}
  for (const [name, member] of Object.entries<Json>(Object(schema.properties))) {
    const value = sampleOf(member, name)
    if (value !== undefined) sample[name] = value
    else if (Array.isArray(schema.required) && schema.required.includes(name)) return undefined
  }
  const [values] = Object.values<Json>(Object(schema.patternProperties))
  if (values !== undefined) sample['2026-04-01T00:00:00+09:00'] = sampleOf(values)
  return sample
}

function arraySample({ items, maxItems }: Json, key: string): unknown {
  const element = Object(items)
  if (element.not !== undefined || maxItems === 0) return []
  const sample = sampleOf(element, key.replace(/s$/, ''))
  return sample === undefined ? undefined : [sample]
}

const NUMBERS: Readonly<Record<string, number>> = {
  From: 0,
  Index: 0,
  ServerCount: 0,
  latency_ms: 200,
  traffic_quota_in_mb: 100,
  bandwidth_limit_in_kbps: 64,
  NetworkMaskLen: 24,
  DefaultCacheTTL: 3600,
  probability: 0.5,
  status: 200,
  Year: 2026,
  Month: 4,
}

function numberSample({ minimum, maximum, exclusiveMinimum }: Json, key: string): number {
  const low = Number(minimum ?? (exclusiveMinimum === undefined ? 0 : Number(exclusiveMinimum) + 1))
  const wanted = NUMBERS[key] ?? 1
  return Math.min(Math.max(wanted, low), Number(maximum ?? Number.MAX_SAFE_INTEGER))
}

/** By the end of a member's name, whatever its case; the first that fits the schema is taken. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/serial$/i, '0123456789abcdef0123456789abcdef'],
  [/iccid/i, '8981040000000001000'],
  [/imsi/i, '440100000000001'],
  [/imei/i, '350000000000001'],
  [/passcode/i, 'demo0'],
  [/messageid/i, '1b4e28ba2fa145b6b1f2c0a1d2e3f405'],
  [/chat_url|url$/i, 'https://example.jp/hook'],
  [/prefix/i, '192.168.10.0/24'],
  [/dns_\d/i, '192.0.2.53'],
  [/(^|_)ip(address)?$|nexthop|defaultroute|address$/i, '192.168.1.1'],
  [/domain|host|^origin$|endpoint/i, 'www.example.jp'],
  [
    /^(from|until|now|to|at|time|since|date|end|start)$|(At|Date|_at|_date)$/,
    '2026-04-01T00:00:00+09:00',
  ],
  [/^hour$|At$/, '2026-04-01T00:00:00Z'],
  [/destination/i, '819012345678'],
  [/sender/i, 'Acme'],
  [/^report$/, '1-8f3a'],
  [/^otp$/i, '123456'],
  [/^by$/, '31d'],
  [/target|month/i, '202604'],
  [/year/i, '2026'],
  [/carrier/i, 'carrier-a'],
  [/country/i, 'JP'],
  [/zone/i, 'is1a'],
  [/^acl$/i, 'deny 192.0.2.0/24\nallow all'],
  [/chain|pem/i, '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n'],
  [/secret|^key$|token/i, 'kept-by-you'],
  [/operation/i, 'itemCreate'],
  [/^curl$/, 'curl -X GET -u "$TOKEN:$SECRET" \'https://localhost:8443/cloud\''],
  [/path$/i, '/cloud/zone/is1a/api/cloud/1.1/auth-status'],
  [/method$/i, 'GET'],
  [/(^|_)code$/i, 'demo'],
  [/(_bytes|bytes)$/i, '1024'],
  [/availability/i, 'available'],
  [/session_status/i, 'UP'],
  [/mime_type/i, 'text/plain'],
  [/(^|_)id$/i, '900000000101'],
  [/name$/i, 'example'],
]

/** Tried in turn where the name says nothing, or not what the pattern wants. */
const FALLBACKS = [
  'example',
  'Example',
  '1',
  '2026',
  '900000000101',
  '0123456789abcdef0123456789abcdef',
  '2026-04-01',
  '2026-04-01T00:00:00+09:00',
  'https://example.jp/',
  '192.168.1.1',
  '192.168.1.0/24',
  'example.txt',
  'owner@example.jp',
  'a',
  '0A',
]

function textSample(schema: Json, key: string): string | undefined {
  const fits = (text: string) =>
    (schema.pattern === undefined || new RegExp(String(schema.pattern), 'u').test(text)) &&
    text.length >= Number(schema.minLength ?? 0) &&
    text.length <= Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
  const named = TEXTS.filter(([pattern]) => pattern.test(key)).map(([, text]) => text)
  return [...named, ...FALLBACKS].find(fits)
}
