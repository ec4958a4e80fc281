import { utcMicros } from '../../kernel/datetime.ts'
import type { Change, Event, Hides, Kept } from './request-rules.ts'

export function summaryToWire(entry: Kept, hiding: Hides) {
  return {
    serial: entry.serial,
    time: utcMicros(entry.time),
    method: entry.method,
    path: hiding.path(entry),
    operation: entry.operation,
    account: entry.account ?? null,
    client: entry.client ?? null,
    status: entry.status,
    duration_ms: entry.durationMs,
  }
}

/** `unread`: what was sent and nothing reads. */
export function detailToWire(
  entry: Kept,
  { origin, hiding, unread }: { origin: string; hiding: Hides; unread: string[] },
) {
  return {
    ...summaryToWire(entry, hiding),
    rows_changed: entry.changes,
    unread_fields: unread,
    request_body: hiding.sent(entry),
    answer_body: hiding.answered(entry),
    curl: curlLine(entry, origin, hiding),
  }
}

export function eventText(event: Event, hiding: Hides): string {
  const data =
    event.kind === 'request' ? summaryToWire(event.request, hiding) : changeToWire(event.change)
  return `id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`
}

function changeToWire({ time, source, changes }: Change) {
  return { time: utcMicros(time), ...source, rows_changed: changes }
}

/** Credentials are named, not shown. */
function curlLine(entry: Kept, origin: string, hiding: Hides): string {
  const shown = hiding.sent(entry)
  const data = shown === null ? '' : ` -d ${quote(JSON.stringify(shown))}`
  return `curl -X ${entry.method} -u "$TOKEN:$SECRET"${data} ${quote(origin + hiding.path(entry))}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** HTTP Archive 1.2, which browsers' tools and proxies read; oldest first, as it wants. */
export function harText(entries: readonly Kept[], origin: string, hiding: Hides): string {
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'kumoi', version: '1' },
      entries: entries.toReversed().map((entry) => harEntry(entry, origin, hiding)),
    },
  })
}

function harEntry(entry: Kept, origin: string, hiding: Hides) {
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: -1 }
  const mimeType = 'application/json'
  const sent = hiding.sent(entry)
  return {
    startedDateTime: entry.time.toISOString(),
    time: entry.durationMs,
    request: {
      ...message,
      method: entry.method,
      url: origin + hiding.path(entry),
      queryString: [],
      bodySize: entry.body?.length ?? 0,
      ...(sent === null ? {} : { postData: { mimeType, text: JSON.stringify(sent) } }),
    },
    response: {
      ...message,
      status: entry.status,
      statusText: '',
      redirectURL: '',
      bodySize: entry.answer?.length ?? 0,
      content: {
        mimeType,
        size: entry.answer?.length ?? 0,
        text: JSON.stringify(hiding.answered(entry)),
      },
    },
    cache: {},
    timings: { send: 0, wait: entry.durationMs, receive: 0 },
  }
}
