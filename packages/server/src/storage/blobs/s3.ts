/**
 * Blobs in a bucket of an S3-compatible service. A small one is put whole; a larger one goes up in parts
 * that only the last call joins, so that what breaks off is never there. Never more than a part of a blob
 * is held in memory.
 */
import { Readable } from 'node:stream'
import { problemOf, type S3Account, S3Client, tag } from '../../kernel/s3-client.ts'
import { type BlobSize, type Blobs, type ByteRange, checkKey } from './blobs.ts'

export interface S3Options extends S3Account {
  /** The least that a service takes, and what is held in memory; a test makes it small. */
  readonly partBytes?: number
}

const PART_BYTES = 8 * 1024 * 1024

export class S3Blobs implements Blobs {
  readonly #client: S3Client
  readonly #partBytes: number

  constructor({ partBytes = PART_BYTES, ...account }: S3Options) {
    this.#client = new S3Client(account)
    this.#partBytes = partBytes
  }

  async write(key: string, content: Readable): Promise<number> {
    checkKey(key)
    const parts = inParts(content, this.#partBytes)
    const first = await parts.next()
    const second = await parts.next()
    if (second.done) {
      const whole = first.done ? Buffer.alloc(0) : first.value
      await this.#client.expect('PUT', key, {}, whole)
      return whole.length
    }
    // There are two parts, so there is a first.
    return this.#writeParts(key, [first.value ?? Buffer.alloc(0), second.value], parts)
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
    const answer = await this.#client.send('GET', checkKey(key), {}, undefined, headers)
    if (answer.status === 404) {
      await answer.body?.cancel()
      return undefined
    }
    if (!answer.ok || answer.body === null) throw await problemOf(answer, 'GET', key)
    // The library's two types of web streams are one and the same at run time.
    return Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
  }

  async delete(key: string): Promise<void> {
    await this.#client.expect('DELETE', checkKey(key))
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
      const answer = await this.#client.expect('GET', '', { 'list-type': '2', ...how, ...more })
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
    const started = await this.#client.expect('POST', key, { uploads: '' })
    const uploadId = tag(await started.text(), 'UploadId')
    try {
      const etags: string[] = []
      let size = 0
      const put = async (part: Buffer) => {
        const query = { partNumber: String(etags.length + 1), uploadId }
        const answer = await this.#client.expect('PUT', key, query, part)
        etags.push(answer.headers.get('etag') ?? '')
        size += part.length
      }
      for (const part of begun) await put(part)
      for await (const part of rest) await put(part)
      const list = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      const ended = await this.#client.expect('POST', key, { uploadId }, Buffer.from(body))
      // A service may find out too late for the status that it has failed.
      if (/<Error>/.test(await ended.text()))
        throw new Error(`The parts of ${key} were not joined.`)
      return size
    } catch (error) {
      await this.#client.send('DELETE', key, { uploadId })
      throw error
    }
  }
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
