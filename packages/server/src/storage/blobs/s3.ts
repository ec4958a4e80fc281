/**
 * Blobs in a bucket of an S3-compatible service. A small one is put whole; a larger one goes up in parts
 * that only the last call joins, so that what breaks off is never there. Never more than a part of a blob
 * is held in memory.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { type BlobSize, type Blobs, type ByteRange, checkKey } from './blobs.ts'

export interface S3Options {
  readonly accessKey: string
  readonly secretKey: string
  /** `https://s3.example.jp`; the bucket is in the path. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  /** Of the machine: a service refuses what is signed at another time than its own. */
  readonly now: () => Date
  /** The least that a service takes, and what is held in memory; a test makes it small. */
  readonly partBytes?: number
}

const PART_BYTES = 8 * 1024 * 1024

export class S3Blobs implements Blobs {
  readonly #options: S3Options

  constructor(options: S3Options) {
    this.#options = options
  }

  async write(key: string, content: Readable): Promise<number> {
    checkKey(key)
    const parts = inParts(content, this.#options.partBytes ?? PART_BYTES)
    const first = await parts.next()
    const second = await parts.next()
    if (second.done) {
      const whole = first.done ? Buffer.alloc(0) : first.value
      await this.#expect('PUT', key, {}, whole)
      return whole.length
    }
    // There are two parts, so there is a first.
    return this.#writeParts(key, [first.value ?? Buffer.alloc(0), second.value], parts)
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const answer = await this.#send('GET', checkKey(key), {}, undefined, headers)
    if (answer.status === 404) {
      await answer.body?.cancel()
      return undefined
    }
    if (!answer.ok || answer.body === null) throw await problemOf(answer, 'GET', key)
    // The library's two types of web streams are one and the same at run time.
    return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
  }

  async delete(key: string): Promise<void> {
    await this.#expect('DELETE', checkKey(key))
  }

  list(): Promise<BlobSize[]> {
    return this.#list({ delimiter: '/' })
  }

  async clear(): Promise<void> {
    for (const { key } of await this.#list({})) await this.delete(key)
  }

  async #list(how: Record<string, string>): Promise<BlobSize[]> {
    const all: BlobSize[] = []
    let more: Record<string, string> = {}
    for (;;) {
      const answer = await this.#expect('GET', '', { 'list-type': '2', ...how, ...more })
      const text = await answer.text()
      for (const entry of text.split('<Contents>').slice(1)) {
        all.push({ key: tag(entry, 'Key'), bytes: Number(tag(entry, 'Size')) })
      }
      const token = tag(text, 'NextContinuationToken')
      if (token === '') return all.sort((a, b) => (a.key < b.key ? -1 : 1))
      more = { 'continuation-token': token }
    }
  }

  async #writeParts(
    key: string,
    begun: readonly Buffer[],
    rest: AsyncGenerator<Buffer>,
  ): Promise<number> {
    const started = await this.#expect('POST', key, { uploads: '' })
    const uploadId = tag(await started.text(), 'UploadId')
    try {
      const etags: string[] = []
      let size = 0
      const put = async (part: Buffer) => {
        const query = { partNumber: String(etags.length + 1), uploadId }
        const answer = await this.#expect('PUT', key, query, part)
        etags.push(answer.headers.get('etag') ?? '')
        size += part.length
      }
      for (const part of begun) await put(part)
      for await (const part of rest) await put(part)
      const list = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      const ended = await this.#expect('POST', key, { uploadId }, Buffer.from(body))
      // A service may find out too late for the status that it has failed.
      if (/<Error>/.test(await ended.text()))
        throw new Error(`The parts of ${key} were not joined.`)
      return size
    } catch (error) {
      await this.#send('DELETE', key, { uploadId })
      throw error
    }
  }

  async #expect(
    method: string,
    key: string,
    query: Record<string, string> = {},
    body?: Buffer,
  ): Promise<Response> {
    const answer = await this.#send(method, key, query, body)
    if (!answer.ok) throw await problemOf(answer, method, key)
    return answer
  }

  async #send(
    method: string,
    key: string,
    query: Record<string, string>,
    body?: Buffer,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const { endpoint, bucket, region, accessKey, secretKey, now } = this.#options
    const url = new URL(`${endpoint}/${bucket}/${key}`.replace(/\/$/, ''))
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, region, service: 's3' },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      // `20130524T000000Z`
      datetime: now()
        .toISOString()
        .replaceAll(/[-:]|\.\d+/g, ''),
      // The library would leave the content out of the signature.
      headers: { ...more, 'x-amz-content-sha256': sha256(body ?? '') },
    })
    const { headers } = await signer.sign()
    const content = body === undefined ? {} : { body: new Uint8Array(body) }
    return fetch(url, { method, headers, redirect: 'error', ...content })
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Pieces of this size, the last one smaller. */
async function* inParts(content: Readable, size: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    let rest = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    while (length + rest.length >= size) {
      const taken = size - length
      yield Buffer.concat([...held, rest.subarray(0, taken)])
      rest = rest.subarray(taken)
      held = []
      length = 0
    }
    held.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(held)
}

async function problemOf(answer: Response, method: string, key: string): Promise<Error> {
  const text = await answer.text()
  const reason = `${answer.status} ${tag(text, 'Code')} ${tag(text, 'Message')}`.trim()
  return new Error(`The object store refused ${method} ${key}: ${reason}`)
}

/** Of the few answers that are read, none has the same tag twice or anything escaped that matters. */
function tag(text: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? ''
}
