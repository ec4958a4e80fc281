/** Signed requests to a bucket of an S3-compatible service. */
import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'

export interface S3Account {
  readonly accessKey: string
  readonly secretKey: string
  /** `https://s3.example.jp`; the bucket is in the path. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  /** Of the machine: a service refuses what is signed at another time than its own. */
  readonly now: () => Date
}

export class S3Client {
  readonly #account: S3Account

  constructor(account: S3Account) {
    this.#account = account
  }

  /** Throws what the service says when it refuses. */
  async expect(
    method: string,
    key: string,
    query: Record<string, string> = {},
    body?: Buffer,
  ): Promise<Response> {
    const answer = await this.send(method, key, query, body)
    if (!answer.ok) throw await problemOf(answer, method, key)
    return answer
  }

  async send(
    method: string,
    key: string,
    query: Record<string, string>,
    body?: Buffer,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const request = { method, key, query, body, headers: more }
    const { url, headers } = await signS3(this.#account, request)
    const content = body === undefined ? {} : { body: new Uint8Array(body) }
    return fetch(url, { method, headers, redirect: 'error', ...content })
  }
}

interface S3Request {
  readonly method: string
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** The address and the headers of a request, for whoever sends it by other means than `fetch`. */
export async function signS3(
  { endpoint, bucket, region, accessKey, secretKey, now }: S3Account,
  { method, key, query = {}, body, headers: more = {} }: S3Request,
): Promise<{ readonly url: URL; readonly headers: Headers }> {
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
  return { url, headers }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

export async function problemOf(answer: Response, method: string, key: string): Promise<Error> {
  const text = await answer.text()
  const reason = `${answer.status} ${tag(text, 'Code')} ${tag(text, 'Message')}`.trim()
  return new Error(`The object store refused ${method} ${key}: ${reason}`)
}

/** Of the few answers that are read, none has the same tag twice or anything escaped that matters. */
export function tag(text: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ?? ''
}
