/** Where the origin of a site is, and what a request to it looks like. */
import { isIP } from 'node:net'
import { AwsV4Signer } from 'aws4fetch'
import type { EdgeOrigin } from '../../../services/webaccel/public.ts'

export interface Endpoint {
  readonly isTls: boolean
  readonly host: string
  readonly port: number | undefined
  /** Of the certificate: the name that is connected to, or the Host field's where that is an address. */
  readonly servername: string | undefined
}

export function endpointOf(origin: EdgeOrigin): Endpoint {
  const given = origin.type === 'server' ? `${origin.protocol}://${origin.host}` : origin.endpoint
  const url = new URL(given.includes('://') ? given : `https://${given}`)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const name = origin.type === 'server' ? hostName(origin.hostHeader) : undefined
  return {
    isTls: url.protocol === 'https:',
    host,
    port: url.port === '' ? undefined : Number(url.port),
    servername: isIP(host) === 0 ? host : name,
  }
}

function hostName(header: string): string | undefined {
  const name = header.replace(/:\d*$/, '')
  return name === '' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 ? undefined : name
}

export interface OriginCallOptions {
  readonly path: string
  /** Flat, with Host. */
  readonly fields: string[]
}

export function serverCall(
  origin: Extract<EdgeOrigin, { type: 'server' }>,
  target: string,
  fields: readonly string[],
  guardToken: string,
): OriginCallOptions {
  const guard = guardToken === '' ? [] : ['x-webaccel-guard', guardToken]
  return { path: target, fields: ['host', origin.hostHeader || origin.host, ...fields, ...guard] }
}

/** What a bucket is asked besides the signature: it knows nothing of the client. */
const FOR_STORAGE = new Set([
  'range',
  'if-range',
  'if-none-match',
  'if-modified-since',
  'if-match',
  'if-unmodified-since',
])

/** As the signature has it: what a client may leave unescaped, such as a plus, would be read in two ways. */
function canonicalPath(target: string): string {
  return target.split('/').map(canonicalSegment).join('/')
}

function canonicalSegment(segment: string): string {
  try {
    const escaped = encodeURIComponent(decodeURIComponent(segment))
    return escaped.replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  } catch {
    return segment
  }
}

/** Signed by SigV4 in the fields, path style. `now` is the machine's: a service refuses what is signed at another time. */
export async function storageCall(
  origin: Extract<EdgeOrigin, { type: 'storage' }>,
  method: string,
  target: string,
  fields: readonly string[],
  now: Date,
): Promise<OriginCallOptions> {
  const { isTls, host, port } = endpointOf(origin)
  const name = isIP(host) === 6 ? `[${host}]` : host
  const base = `${isTls ? 'https' : 'http'}://${name}${port === undefined ? '' : `:${port}`}`
  const signer = new AwsV4Signer({
    ...{
      method,
      url: `${base}/${origin.bucket}/${canonicalPath(target)}`,
      region: origin.region,
      service: 's3',
    },
    accessKeyId: origin.accessKeyId,
    secretAccessKey: origin.secretAccessKey,
    datetime: now.toISOString().replaceAll(/[-:]|\.\d+/g, ''),
    headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
  })
  const { headers, url } = await signer.sign()
  const kept: string[] = ['host', url.host]
  for (const [field, value] of headers) if (field !== 'host') kept.push(field, value)
  for (let at = 0; at < fields.length; at += 2) {
    const field = fields[at] ?? ''
    if (FOR_STORAGE.has(field)) kept.push(field, fields[at + 1] ?? '')
  }
  return { path: `${url.pathname}${url.search}`, fields: kept }
}
