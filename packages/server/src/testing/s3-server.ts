/**
 * A small S3-shaped server for tests. It checks signatures by itself, from what comes over the wire,
 * and knows the handful of calls that blobs need.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

export const S3_KEYS = { accessKey: 'test-access', secretKey: 'test-secret', region: 'jp-east-1' }

/** In the place of the body's hash; reads have no body. */
const UNSIGNED = 'UNSIGNED-PAYLOAD'

export class S3Server {
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, Map<number, Buffer>>()
  /** So many entries a list page. */
  pageSize = 2
  url = ''

  static async open(t: Pick<TestContext, 'after'>): Promise<S3Server> {
    const s3 = new S3Server()
    const server = createServer((request, response) => void s3.#answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    s3.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    return s3
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    const url = new URL(request.url ?? '', this.url)
    if (!isSigned(request, url, body)) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
      return
    }
    const [, bucket, ...rest] = url.pathname.split('/')
    if (bucket !== 'bucket') {
      response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>')
      return
    }
    const key = rest.join('/')
    const uploadId = url.searchParams.get('uploadId')
    if (key === '') this.#list(url, response)
    else if (url.searchParams.has('uploads')) this.#begin(key, response)
    else if (uploadId !== null) this.#part(request, url, key, uploadId, body, response)
    else this.#object(request, key, body, response)
  }

  #object(request: IncomingMessage, key: string, body: Buffer, response: ServerResponse): void {
    if (request.method === 'PUT') {
      this.objects.set(key, body)
      response.writeHead(200).end()
      return
    }
    if (request.method === 'DELETE') {
      this.objects.delete(key)
      response.writeHead(204).end()
      return
    }
    const found = this.objects.get(key)
    if (found === undefined) {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
      return
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (range === null) response.writeHead(200).end(found)
    else response.writeHead(206).end(found.subarray(Number(range[1]), Number(range[2]) + 1))
  }

  #begin(key: string, response: ServerResponse): void {
    const id = `upload-${this.uploads.size + 1}`
    this.uploads.set(id, new Map())
    response.writeHead(200).end(`<R><Key>${key}</Key><UploadId>${id}</UploadId></R>`)
  }

  #part(
    request: IncomingMessage,
    url: URL,
    key: string,
    id: string,
    body: Buffer,
    response: ServerResponse,
  ): void {
    const parts = this.uploads.get(id)
    if (parts === undefined) {
      response.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>')
      return
    }
    if (request.method === 'PUT') {
      const number = Number(url.searchParams.get('partNumber'))
      parts.set(number, body)
      response.writeHead(200, { etag: `"part-${number}"` }).end()
      return
    }
    this.uploads.delete(id)
    if (request.method === 'DELETE') {
      response.writeHead(204).end()
      return
    }
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)]
    const joined = numbers.map(([, number]) => parts.get(Number(number)) ?? Buffer.alloc(0))
    this.objects.set(key, Buffer.concat(joined))
    response.writeHead(200).end('<R></R>')
  }

  #list(url: URL, response: ServerResponse): void {
    const isFlat = url.searchParams.get('delimiter') === '/'
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...this.objects.keys()]
      .filter((key) => !(isFlat && key.includes('/')) && key > after)
      .sort()
    const page = keys.slice(0, this.pageSize)
    const entries = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><Size>${this.objects.get(key)?.length}</Size></Contents>`,
    )
    const more = keys.length > page.length ? page.at(-1) : undefined
    const next = more === undefined ? '' : `<NextContinuationToken>${more}</NextContinuationToken>`
    response.writeHead(200).end(`<R>${entries.join('')}${next}</R>`)
  }
}

/** Written from the specification, apart from the signer that it checks. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const header = request.headers.authorization ?? ''
  const [, credential = '', names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(header) ?? []
  const [access, day = '', region = '', service = '', end = ''] = credential.split('/')
  if (access !== S3_KEYS.accessKey || region !== S3_KEYS.region || service !== 's3') return false
  const stated = request.headers['x-amz-content-sha256']
  const isUnsigned = stated === UNSIGNED && body.length === 0
  const hash = isUnsigned ? UNSIGNED : createHash('sha256').update(body).digest('hex')
  if (stated !== hash) return false
  const query = [...url.searchParams.entries()]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  const lines = names.split(';').map((name) => `${name}:${request.headers[name]}\n`)
  const whole = `${request.method}\n${url.pathname}\n${query}\n${lines.join('')}\n${names}\n${hash}`
  const stamp = request.headers['x-amz-date']
  const digest = createHash('sha256').update(whole).digest('hex')
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${day}/${region}/${service}/${end}\n${digest}`
  let key: Buffer | string = `AWS4${S3_KEYS.secretKey}`
  for (const step of [day, region, service, end])
    key = createHmac('sha256', key).update(step).digest()
  return createHmac('sha256', key).update(text).digest('hex') === given
}
