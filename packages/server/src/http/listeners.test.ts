import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { SeededRandom } from '../kernel/random.ts'
import { makeCertificate } from '../testing/certificates.ts'
import { closeListener, listenOn, newListener } from './listeners.ts'

const NOBODY = {
  tls: undefined,
  listener: () => undefined,
  takePlain: () => undefined,
  random: new SeededRandom('x'),
}

test('lets large answers wait without pausing what comes next on the connection', async (t) => {
  const { certificate: cert, key } = makeCertificate({ names: ['localhost'] })
  const listener = newListener({ ...NOBODY, tls: { cert, key } })
  t.after(() => closeListener(listener, 0))
  const port = await listenOn(listener, '127.0.0.1', 0)
  const mark = new Promise<number>((resolve) => {
    listener.once('request', ({ socket }) => resolve(socket.writableHighWaterMark))
  })
  const client = connect({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' })
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  assert.equal(await mark, 16 * 1024 * 1024)
  client.destroy()
})

test('says in a sentence why a port cannot be had', async (t) => {
  const newOne = () => newListener(NOBODY)
  const first = newOne()
  t.after(() => closeListener(first, 0))
  const port = await listenOn(first, '127.0.0.1', 0)
  await assert.rejects(
    listenOn(newOne(), '127.0.0.1', port),
    new Error(`Port ${port} on 127.0.0.1 is in use by another program.`),
  )
})
