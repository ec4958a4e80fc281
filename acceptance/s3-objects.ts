/** A bucket by HTTPS with objects of a test. It checks signatures by itself, from what comes over the wire. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export const S3_KEYS = { accessKey: 'test-access', secretKey: 'test-secret', region: 'jp-east-1' }

export interface ObjectServer {
  readonly port: number
  close(): void
}

/** Keys are paths with the bucket, such as `/bucket/a.txt`. */
export async function serveObjects(
  objects: ReadonlyMap<string, string>,
  tls: { readonly cert: string; readonly key: string },
): Promise<ObjectServer> {
  const server = createServer(tls, (request, response) => {
    const found = objects.get(request.url ?? '')
    if (!isSigned(request) || request.headers.cookie !== undefined) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    } else if (found === undefined) {
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    } else response.end(found)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A read without a query whose body is not signed. */
function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const [, credential = '', names = '', given] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=(\S+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const [access, day = '', region, ...rest] = credential.split('/')
  if (access !== S3_KEYS.accessKey || region !== S3_KEYS.region) return false
  const lines = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const hash = headers['x-amz-content-sha256']
  const whole = `${method}\n${url}\n\n${lines.join('')}\n${names}\n${hash}`
  const digest = createHash('sha256').update(whole).digest('hex')
  const scope = [day, region, ...rest]
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope.join('/')}\n${digest}`
  let key: Buffer | string = `AWS4${S3_KEYS.secretKey}`
  for (const part of scope) key = createHmac('sha256', key).update(part).digest()
  return createHmac('sha256', key).update(text).digest('hex') === given
}
