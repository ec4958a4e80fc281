/** Files up and down: streams with progress, never a whole file in memory. */
import { readData, readRefusal } from './answer.ts'
import type { Result } from './types.ts'
import type { OnProgress, UploadOrder } from './upload-order.ts'
import type { Fetch } from './wire.ts'
import { sendByXhr } from './xhr.ts'

export interface DownloadOrder {
  /** The address that the download request was answered with. It needs no credentials. */
  readonly url: string
  readonly signal?: AbortSignal
  readonly onProgress?: OnProgress
}

export interface Download {
  readonly stream: ReadableStream<Uint8Array>
  readonly size: number | undefined
  readonly type: string
}

/** The name of the form's field, as the interface says. */
const FIELD = 'attachment'

export async function upload(
  fetchOne: Fetch,
  order: UploadOrder,
): Promise<Result<Readonly<Record<string, unknown>>>> {
  // A browser can neither stream a body over HTTP/1.1 nor tell how far `fetch` has come.
  const response =
    typeof XMLHttpRequest === 'function'
      ? await sendByXhr(order, FIELD)
      : await sendByStream(fetchOne, order)
  if (!response.ok) return { ok: false, refusal: await readRefusal(response) }
  return { ok: true, status: response.status, data: Object(await readData(response)) }
}

async function sendByStream(fetchOne: Fetch, order: UploadOrder): Promise<Response> {
  const { url, token, file, name, signal, onProgress } = order
  const boundary = `kumoi-${crypto.randomUUID()}`
  const type = file.type || 'application/octet-stream'
  const shown = name.replaceAll(/["\r\n]/g, (found) => encodeURIComponent(found))
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${boundary}\r\ncontent-disposition: form-data; name="${FIELD}"; filename="${shown}"\r\ncontent-type: ${type}\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`)
  // The length is known, and a server may insist on it; `duplex` is what a streamed body needs.
  const init: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    body: framed(head, counted(file.stream(), file.size, onProgress), tail),
    credentials: 'omit',
    duplex: 'half',
  }
  if (signal !== undefined) init.signal = signal
  return fetchOne(url, init)
}

export async function download(fetchOne: Fetch, order: DownloadOrder): Promise<Result<Download>> {
  const { url, signal, onProgress } = order
  const init: RequestInit = { credentials: 'omit' }
  if (signal !== undefined) init.signal = signal
  const response = await fetchOne(url, init)
  if (!response.ok) return { ok: false, refusal: await readRefusal(response) }
  const length = response.headers.get('content-length')
  const size = length === null ? undefined : Number(length)
  const data: Download = {
    stream: counted(response.body ?? new Blob([]).stream(), size, onProgress),
    size,
    type: response.headers.get('content-type') ?? '',
  }
  return { ok: true, status: response.status, data }
}

function counted(
  stream: ReadableStream<Uint8Array>,
  total: number | undefined,
  onProgress: OnProgress | undefined,
): ReadableStream<Uint8Array> {
  if (onProgress === undefined) return stream
  let done = 0
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        done += chunk.length
        onProgress(done, total)
        controller.enqueue(chunk)
      },
    }),
  )
}

function framed(
  head: Uint8Array,
  middle: ReadableStream<Uint8Array>,
  tail: Uint8Array,
): ReadableStream<Uint8Array> {
  return middle.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(head),
      flush: (controller) => controller.enqueue(tail),
    }),
  )
}
