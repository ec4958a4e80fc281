/** A receiver of outgoing webhooks inside a test: a real HTTP server on the loopback interface. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  DeviceMessage,
  WebhookRequest,
  WebhookTarget,
  WebhookTargetOptions,
} from './testing-types.ts'
import { waitFor } from './testing-waits.ts'

export interface OpenTarget {
  readonly target: WebhookTarget
  close(): Promise<void>
}

interface Parts {
  /** Of the cloud, which signs the time of each attempt. */
  now(): Date
  hint(): Promise<string>
}

/** As the Standard Webhooks specification has it. */
const TOLERANCE_SECONDS = 300

export async function openTarget(
  { secret }: WebhookTargetOptions,
  { now, hint }: Parts,
): Promise<OpenTarget> {
  const requests: WebhookRequest[] = []
  let statuses: readonly number[] = [204]
  const receive = (given: IncomingHttpHeaders, bytes: Buffer, response: ServerResponse) => {
    const [status = 204, ...rest] = statuses
    if (rest.length > 0) statuses = rest
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, String(value)]),
    )
    const verified = secret === undefined ? undefined : isSigned(secret, headers, bytes, now())
    requests.push(new ReceivedRequest(headers, bytes.toString(), status, verified))
    response.writeHead(status).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => receive(request.headers, Buffer.concat(chunks), response))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const source = { what: 'request', list: async () => requests.toReversed(), hint }
  return {
    target: {
      url: `http://127.0.0.1:${port}/webhook`,
      requests,
      respondWith(...given) {
        for (const status of given) checkStatus(status)
        statuses = given
      },
      waitFor: (match, options) => waitFor(source, match, options),
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

class ReceivedRequest implements WebhookRequest {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
  readonly verified: boolean | undefined

  constructor(
    headers: Readonly<Record<string, string>>,
    body: string,
    status: number,
    verified: boolean | undefined,
  ) {
    this.id = headers['webhook-id'] ?? ''
    this.headers = headers
    this.body = body
    this.status = status
    this.verified = verified
  }

  /** Read when it is asked for: whoever else posts here may send anything. */
  get message(): DeviceMessage {
    return JSON.parse(this.body)
  }
}

function checkStatus(status: number): void {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return
  throw new RangeError(`A webhook is answered with a status from 200 to 599, not with ${status}.`)
}

/** See docs/iot-messages.md. Several signatures may be there, with spaces between. */
function isSigned(
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  now: Date,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': given } = headers
  if (id === undefined || seconds === undefined || given === undefined) return false
  const hmac = createHmac('sha256', secret).update(`${id}.${seconds}.`).update(body)
  const age = Math.abs(now.getTime() / 1000 - Number(seconds))
  return age <= TOLERANCE_SECONDS && given.split(' ').includes(`v1,${hmac.digest('base64')}`)
}
