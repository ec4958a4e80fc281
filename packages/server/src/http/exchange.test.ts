import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Proxies } from '../kernel/proxies.ts'
import { Exchange } from './exchange.ts'

test('a signal is one, however often it is asked for, and is aborted when the client goes', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const client = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [message, response] = await once(server, 'request')
  const exchange = new Exchange(message, response, 'serial', '', new Proxies([]))
  const listening = response.listenerCount('close')
  // A transaction that is tried again asks each time.
  for (let attempt = 0; attempt < 20; attempt += 1) assert.equal(exchange.signal, exchange.signal)
  assert.equal(response.listenerCount('close'), listening + 1)
  assert.equal(exchange.signal.aborted, false)
  client.destroy()
  await once(exchange.signal, 'abort')
  server.close()
})
