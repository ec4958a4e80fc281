/** A scripted gateway on this machine, and a cloud that sends through it. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { signWebhook } from '../services/iot/public.ts'
import { type CloudOptions, openCloud, search } from './cloud.ts'
import type { TestEngine } from './engines.ts'

export const SMS_SECRET = 'a secret of the gateway'
export const SMS_PASSWORD = 'kannel-password'

export interface GatewayCall {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `hang up`: the request was read, and the connection ends without an answer. */
export type Scripted =
  | { status: number; headers?: Record<string, string>; text?: string }
  | 'hang up'
export type Script = (call: GatewayCall, nth: number) => Scripted | Promise<Scripted>

export async function startGateway(t: TestContext, script: Script) {
  const calls: GatewayCall[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const call = {
      ...{ method: request.method ?? '', headers: request.headers },
      url: new URL(request.url ?? '', 'http://gateway'),
      body: Buffer.concat(chunks).toString(),
    }
    calls.push(call)
    const answer = await script(call, calls.length)
    if (answer === 'hang up') request.socket.destroy()
    else response.writeHead(answer.status, answer.headers).end(answer.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { calls, url: `http://127.0.0.1:${port}/send`, close: () => server.close() }
}

export interface SmsCloudOptions extends CloudOptions {
  readonly transport: 'kannel' | 'http'
  readonly engine: TestEngine
  readonly url: string
}

/** A cloud whose messages go to `url`, with an item to send them by. */
export async function openSmsCloud(t: TestContext, { transport, url, ...rest }: SmsCloudOptions) {
  const own =
    transport === 'kannel'
      ? ['--sms-user', 'kumoi', '--sms-password-file', 'password']
      : ['--sms-secret-file', 'secret']
  const cloud = await openCloud(t, {
    ...rest,
    args: ['--sms-transport', transport, '--sms-url', url, ...own, ...(rest.args ?? [])],
    smsSecrets: { password: SMS_PASSWORD, secret: SMS_SECRET },
  })
  cloud.cloud.origin = 'https://127.0.0.1:8443'
  const { ask, operator, clock, inject } = cloud
  const item = { CommonServiceItem: { Provider: { Class: 'esme' } } }
  const { ID } = (await ask('POST', '/commonserviceitem', { body: item })).body.CommonServiceItem
  return {
    ...cloud,
    /** Answers with the id of the message. */
    async send(more: object = {}): Promise<string> {
      const ESME = {
        ...{ destination: '819012345678', sender: 'Acme', otpOperation: 'input', otp: 'A1B2C3' },
        ...more,
      }
      const path = `/commonserviceitem/${ID}/esme/2fa`
      return (await ask('PUT', path, { body: { ESME } })).body.ESME?.messageId
    },
    /** Moves the clock on, and waits for what is due by then. */
    pass: (seconds: number) => clock.advanceTo(new Date(clock.now().getTime() + seconds * 1000)),
    /** As the operator sees it. */
    async message(id: string) {
      const filter = search({ Filter: { messageId: [id] } })
      return (await operator('GET', `/outbox/sms${filter}`)).body.messages[0]
    },
    /** A report of the gateway, signed rightly unless `headers` says otherwise. */
    report(body: object | string, headers: Record<string, string> = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const id = headers['webhook-id'] ?? `report-${text.length}-${text}`.slice(0, 255)
      const seconds = Number(headers['webhook-timestamp'] ?? clock.now().getTime() / 1000)
      return inject('POST', '/sms/v1/reports', {
        body: text,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(seconds)),
          'webhook-signature': signWebhook(SMS_SECRET, id, Math.floor(seconds), Buffer.from(text)),
          ...headers,
        },
      })
    },
  }
}
