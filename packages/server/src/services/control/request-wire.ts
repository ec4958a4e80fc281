import { utcMicros } from '../../kernel/datetime.ts'
import type { Change, Event, Kept } from './request-rules.ts'
import { readableBody } from './secret-rules.ts'

export function summaryToWire(entry: Kept) {
  return {
    serial: entry.serial,
    time: utcMicros(entry.time),
    method: entry.method,
    path: entry.path,
    operation: entry.operation,
    account: entry.account ?? null,
    status: entry.status,
    duration_ms: entry.durationMs,
  }
}

/** `unread`: what was sent and nothing reads. */
export function detailToWire(entry: Kept, origin: string, unread: string[]) {
  return {
    ...summaryToWire(entry),
    rows_changed: entry.changes,
    unread_fields: unread,
    request_body: readableBody(entry.body),
    answer_body: readableBody(entry.answer),
    curl: curlLine(entry, origin),
  }
}

export function eventText(event: Event): string {
  const data = event.kind === 'request' ? summaryToWire(event.request) : changeToWire(event.change)
  return `id: ${event.number}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`
}

function changeToWire({ time, source, changes }: Change) {
  return { time: utcMicros(time), ...source, rows_changed: changes }
}

/** Credentials are named, not shown. */
function curlLine({ method, path, body }: Kept, origin: string): string {
  const shown = readableBody(body)
  const data = shown === null ? '' : ` -d ${quote(JSON.stringify(shown))}`
  return `curl -X ${method} -u "$TOKEN:$SECRET"${data} ${quote(origin + path)}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** HTTP Archive 1.2, which browsers' tools and proxies read; oldest first, as it wants. */
export function harText(entries: readonly Kept[], origin: string): string {
  return JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'kumoi', version: '1' },
      entries: entries.toReversed().map((entry) => harEntry(entry, origin)),
    },
  })
}

function harEntry(entry: Kept, origin: string) {
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: -1 }
  const mimeType = 'application/json'
  const sent = readableBody(entry.body)
  return {
    startedDateTime: entry.time.toISOString(),
    time: entry.durationMs,
    request: {
      ...message,
      method: entry.method,
      url: origin + entry.path,
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
        text: JSON.stringify(readableBody(entry.answer)),
      },
    },
    cache: {},
    timings: { send: 0, wait: entry.durationMs, receive: 0 },
  }
}
