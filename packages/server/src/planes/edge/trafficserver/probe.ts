/** Asks Traffic Server what it would do with a request; its script answers without the origin (script-probe.ts). */
import { request as askHttp, type IncomingMessage } from 'node:http'
import { request as askHttps } from 'node:https'
import type { Clock } from '../../../kernel/clock.ts'
import type {
  EdgeObject,
  EdgeProbe,
  EdgeProbeAnswer,
  EdgeSite,
} from '../../../services/webaccel/public.ts'
import { hopByHop } from '../policy/fields.ts'
import { freshnessOf, freshUntilMs } from '../policy/freshness.ts'
import { varyNames } from '../policy/vary.ts'
import { FOUND_FIELD, PROBE_FIELD } from './script-probe.ts'

const LIMIT_MS = 1000
const TEXT_MAX = 1000
const FOUND = FOUND_FIELD.toLowerCase()

export interface ProbedServer {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly secret: string
  readonly clock: Clock
}

export async function askProbe(
  probe: EdgeProbe,
  site: EdgeSite | undefined,
  server: ProbedServer,
): Promise<EdgeProbeAnswer> {
  const url = URL.parse(probe.url)
  if (url === null || !url.protocol.startsWith('http')) {
    return ownAnswer(400, 'The URL is malformed.')
  }
  const { status, fields, text } = await ask(probe, url, server)
  const found = fields[FOUND]
  if (found === undefined) return ownAnswer(status, text.trim())
  const shown = (action: EdgeProbeAnswer['action'], result: string, objects: EdgeObject[] = []) =>
    ({ action, status: null, steps: [{ name: 'Cache', result }], objects }) as const
  if (found === 'miss') return shown('miss', 'Not stored, or not this variant.')
  if (found !== 'hit' && found !== 'stale') return shown('pass', 'It goes to the origin.')
  const object = objectOf(fields, probe, site)
  const seconds = Math.ceil((Date.parse(object.freshUntil) - server.clock.now().getTime()) / 1000)
  return found === 'hit'
    ? shown('hit', `Fresh for ${seconds} more seconds.`, [object])
    : shown('revalidate', `Stale for ${-seconds} seconds; the origin is asked.`, [object])
}

function ownAnswer(status: number, text: string): EdgeProbeAnswer {
  const action = status === 301 ? 'redirect' : status === 204 ? 'preflight' : 'refuse'
  const result = text === '' ? `The edge answers ${status}.` : text
  return { action, status, steps: [{ name: 'Site', result }], objects: [] }
}

type Found = Readonly<Record<string, string>>

/** The one that the request selects; Traffic Server does not list other variants. */
function objectOf(found: Found, probe: EdgeProbe, site: EdgeSite | undefined): EdgeObject {
  const stored = Object.entries(found).flatMap(([name, value]) => [
    name.slice(FOUND.length + 1),
    value,
  ])
  const receivedMs = Number(found[`${FOUND}-time`]) * 1000
  const timing = { requestedMs: receivedMs, receivedMs, isVirtual: false }
  const freshness = freshnessOf(stored, timing, site?.defaultCacheTtlSeconds ?? -1)
  const sent = namesInLowerCase(probe.headers)
  return {
    status: Number(found[`${FOUND}-status`]),
    variant: Object.fromEntries(varyNames(stored).map((name) => [name, sent[name] ?? ''])),
    storedAt: new Date(receivedMs).toISOString(),
    freshUntil: new Date(freshUntilMs(freshness)).toISOString(),
    // 0 where the origin has not said it.
    bytes: Number(found[`${FOUND}-content-length`] ?? 0),
    // All is there; what is in the memory too is not said.
    tier: 'disk',
  }
}

function namesInLowerCase(headers: EdgeProbe['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

async function ask(
  probe: EdgeProbe,
  url: URL,
  { host, port, isTls, secret }: ProbedServer,
): Promise<{ readonly status: number; readonly fields: Found; readonly text: string }> {
  const isDropped = hopByHop(probe.headers.connection)
  const given = Object.entries(namesInLowerCase(probe.headers)).filter(
    ([name]) => !isDropped(name) && name !== 'content-length' && name !== 'expect',
  )
  const mark = `${secret} ${url.protocol.slice(0, -1)} ${probe.address}`
  const options = {
    ...{ host, port, method: probe.method, path: `${url.pathname}${url.search}` },
    headers: { ...Object.fromEntries(given), host: url.host, [PROBE_FIELD.toLowerCase()]: mark },
    ...{ agent: false, signal: AbortSignal.timeout(LIMIT_MS) },
    // It is our own process.
    ...(isTls && { servername: url.hostname, rejectUnauthorized: false }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = (isTls ? askHttps : askHttp)(options, resolve)
    outgoing.once('error', reject).end()
  })
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const fields = Object.entries(response.headers).filter(([name]) => name.startsWith(FOUND))
  return {
    status: response.statusCode ?? 0,
    fields: Object.fromEntries(fields.map(([name, value]) => [name, String(value)])),
    text: text.slice(0, TEXT_MAX),
  }
}
