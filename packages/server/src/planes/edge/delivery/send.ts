/** Sends what is stored or comes from an origin, as the client's conditions and its range ask for it. */
import { openWhole } from '../cache/disk.ts'
import { bodyLength, type StoredFile, type StoredObject, textOf } from '../cache/object.ts'
import { isNotModified, isPreconditionFailed, isRangeOf } from '../policy/conditional.ts'
import { fieldValue, type RequestFields } from '../policy/fields.ts'
import { type ByteRange, rangeOf } from '../policy/ranges.ts'
import type { SiteRequest } from './admission.ts'
import { notModifiedHead, partialHead, preconditionHead, unsatisfiableHead } from './answers.ts'
import type { Exchange } from './exchange.ts'
import { type FileSource, sendFile } from './file-body.ts'
import type { Head } from './head.ts'
import type { FillStream } from './outcome.ts'

/** With the head that was sent, and the bytes of the body. */
type Sent = (head: Head, bytes: number) => void

/** What a client gets of a response: its head, and a part of the body, or none of it. */
interface Share {
  readonly head: Head
  readonly part: ByteRange | undefined
  readonly hasBody: boolean
}

interface ObjectOutcome {
  readonly sent: Sent
  /** Its file is not as it was stored, and nothing was sent. */
  readonly missing: () => void
}

export function sendObject(
  exchange: Exchange,
  request: SiteRequest,
  object: StoredObject,
  whole: Head,
  nowMs: number,
  { sent, missing }: ObjectOutcome,
): void {
  const { head, part, hasBody } = shareOf(request, whole, bodyLength(object), nowMs)
  if (!hasBody) {
    exchange.send(head, undefined)
    sent(head, 0)
    return
  }
  if (!Buffer.isBuffer(object.body)) {
    void sendStoredFile(exchange, head, object.body, part, { sent, missing })
    return
  }
  const body = part === undefined ? object.body : object.body.subarray(part.start, part.end)
  exchange.send(head, body, part === undefined ? textOf(object) : undefined)
  sent(head, body.length)
}

async function sendStoredFile(
  exchange: Exchange,
  head: Head,
  file: StoredFile,
  part: ByteRange | undefined,
  { sent, missing }: ObjectOutcome,
): Promise<void> {
  const handle = await openWhole(file)
  if (exchange.isClosed) await handle?.close()
  else if (handle === undefined) missing()
  else {
    const source: FileSource = {
      ...{ written: file.length, failure: undefined, progress: () => Promise.resolve() },
      read: async (buffer, at) => (await handle.read(buffer, 0, buffer.length, at)).bytesRead,
    }
    exchange.begin(head)
    const bytes = await sendFile(exchange, source, part ?? { start: 0, end: file.length })
      .catch(() => {
        exchange.abort()
        return 0
      })
      .finally(() => handle.close())
    sent(head, bytes)
  }
}

export function sendStream(
  exchange: Exchange,
  request: SiteRequest,
  stream: FillStream,
  whole: Head,
  nowMs: number,
  sent: Sent,
): void {
  const given = fieldValue(stream.fields, 'content-length')
  const length = given === undefined ? undefined : Number(given)
  const { head, part, hasBody } = shareOf(request, whole, length, nowMs)
  if (!hasBody) {
    exchange.send(head, undefined)
    sent(head, 0)
    return
  }
  exchange.begin(head)
  stream.body.attach(exchange, part, (bytes) => sent(head, bytes))
}

/** `length` is undefined while it is not known: then there are no ranges. */
function shareOf(
  { method, fields }: SiteRequest,
  whole: Head,
  length: number | undefined,
  nowMs: number,
): Share {
  const isWhole = { head: whole, part: undefined, hasBody: method !== 'HEAD' && hasContent(whole) }
  if (whole.status !== 200 || !isSelective(method, fields)) return isWhole
  const none = { part: undefined, hasBody: false }
  if (isPreconditionFailed(fields, whole.fields, nowMs)) {
    return { head: preconditionHead(whole), ...none }
  }
  if (isNotModified(fields, whole.fields, nowMs)) return { head: notModifiedHead(whole), ...none }
  const wanted = method === 'GET' && isRangeOf(fields['if-range'], whole.fields, nowMs)
  const range = wanted && length !== undefined ? rangeOf(fields.range, length) : undefined
  if (range === undefined || length === undefined) return isWhole
  if (range === 'unsatisfiable') return { head: unsatisfiableHead(whole, length), ...none }
  return { head: partialHead(whole, range, length), part: range, hasBody: true }
}

/** Whether it asks for something else than the whole. */
export function isSelective(method: string, fields: RequestFields): boolean {
  return (
    method !== 'GET' ||
    fields.range !== undefined ||
    fields['if-none-match'] !== undefined ||
    fields['if-modified-since'] !== undefined ||
    fields['if-match'] !== undefined ||
    fields['if-unmodified-since'] !== undefined
  )
}

function hasContent({ status }: Head): boolean {
  return status !== 204 && status !== 304
}
