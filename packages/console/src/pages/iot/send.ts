/** Hands a message to a device through an incoming webhook, signed when the adapter has a secret. */
import type { AdapterCreateIoTPlatform as Adapter } from '@kumoi/client'
import { serverNow } from '../../server-time.ts'
import { secretOf } from './adapters.ts'

export async function sendByWebhook(adapter: Adapter, body: string): Promise<string> {
  const secret = secretOf(adapter)
  const headers = secret === undefined ? {} : await signature(secret, body)
  const response = await fetch(adapter.url, {
    ...{ method: 'POST', body, credentials: 'omit' },
    headers: { 'content-type': 'application/json', ...headers },
  })
  const answer = Object(await response.json())
  if (!response.ok) throw new Error(`${response.status} ${String(answer.error_msg)}`)
  return String(answer.id)
}

/** By the Standard Webhooks specification; the time is the server's, which refuses what is old by its own. */
async function signature(secret: string, body: string): Promise<Record<string, string>> {
  const id = crypto.randomUUID()
  const seconds = Math.floor((await serverNow()) / 1000)
  const encoder = new TextEncoder()
  const way = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), way, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', key, encoder.encode(`${id}.${seconds}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`,
  }
}
