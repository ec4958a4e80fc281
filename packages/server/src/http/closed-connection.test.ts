import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startCloud } from '../start/testing.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: NodeJS.GCFunction = runInNewContext('gc')

const CONNECTIONS = 20
/** Node keeps a few for the next connection. */
const MARGIN = 5

const GET = 'GET /cloud/zone/is1a/api/cloud/1.1/auth-status HTTP/1.1\r\nHost: localhost\r\n'
const KEY = `Authorization: Basic ${btoa('demo-token:demo-secret')}\r\n\r\n`

type Dial = (port: number) => Socket
const plain: Dial = (port) => connect({ port, host: '127.0.0.1' })
const tls: Dial = (port) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })

const ways: [string, Dial, string | Buffer, event: string][] = [
  ['was answered and kept', tls, GET + KEY, 'data'],
  ['was refused', tls, `${GET}\r\n`, 'data'],
  ['sent many requests at once', tls, (GET + KEY).repeat(30), 'data'],
  ['sent half a request', tls, GET, 'secureConnect'],
  ['sent half a TLS hello', plain, Buffer.of(22, 3, 1, 2, 0), 'connect'],
  ['spoke no TLS', plain, GET + KEY, 'data'],
]

/** The server's sockets, requests and responses, as Node announces them. */
function watch() {
  const seen: WeakRef<object>[] = []
  const onMessage = (message: unknown) => {
    const { socket, request, response } = Object(message)
    for (const each of [socket, request, response]) if (each) seen.push(new WeakRef(each))
  }
  const channels = ['net.server.socket', 'http.server.request.start']
  for (const channel of channels) subscribe(channel, onMessage)
  return {
    seen,
    [Symbol.dispose]: () => {
      for (const channel of channels) unsubscribe(channel, onMessage)
    },
  }
}

describe('of a closed connection nothing is kept', () => {
  for (const [what, dial, sent, event] of ways) {
    test(`when it ${what}`, async () => {
      await using cloud = await startCloud({ port: 0 })
      using watched = watch()
      const visit = async () => {
        const client = dial(Number(new URL(cloud.origin).port))
        client.on('error', () => undefined)
        client.write(sent)
        await once(client, event)
        client.destroy()
      }
      for (let index = 0; index < CONNECTIONS; index += 1) await visit()
      assert.ok(watched.seen.length >= CONNECTIONS)
      const kept = () => watched.seen.filter((each) => each.deref() !== undefined).length
      // The server's side is closed a little after the client's.
      for (let tries = 0; tries < 20 && kept() > MARGIN; tries += 1) {
        await new Promise<void>((resolve) => setTimeout(resolve, 50))
        collectGarbage()
      }
      assert.ok(kept() <= MARGIN, `${kept()} of ${watched.seen.length} objects`)
    })
  }
})
