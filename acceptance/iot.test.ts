/** The IoT platform over HTTPS: files by curl, messages by a websocket client of another make. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { engines } from './engines.ts'
import { CLOUD, start, temporaryFolder } from './server.ts'

const ICCID = '8981040000000001003'
/** Prints each message, and one line when it is open; ends by itself after two of them. */
const READER = `
  const socket = new WebSocket(process.argv[1])
  let left = 2
  socket.onopen = () => console.log('open')
  socket.onmessage = ({ data }) => {
    console.log(data)
    left -= 1
    if (left === 0) socket.close()
  }`

for (const engine of engines) {
  describe(`the IoT platform of the demo world on ${engine.name}`, () => {
    test('a file goes up and comes down by curl; messages reach a websocket by TLS', async (t) => {
      const data = temporaryFolder(t)
      const server = await start(data, await engine.flags())
      t.after(() => server.stop())
      const curl = (...args: string[]) =>
        execFileSync('curl', ['-sS', '--cacert', `${data}/tls/ca.pem`, ...args], {
          stdio: ['ignore', 'pipe', 'pipe'],
        })
      const query = encodeURIComponent('{"Filter":{"Provider.Class":"iotplatform"}}')
      const { CommonServiceItems } = (
        await server.ask('GET', `${CLOUD}/commonserviceitem?${query}`)
      ).body
      const vmgw = `${CLOUD}/commonserviceitem/${CommonServiceItems[0].ID}/iotplatform/vmgw`

      const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
      writeFileSync(`${data}/content`, content)
      await server.ask('PUT', `${vmgw}/files/firmware/stat`)
      const request = await server.ask('PUT', `${vmgw}/files/firmware/upload_request`)
      const { url, token } = request.body.IoTPlatform
      const bearer = `Authorization: Bearer ${token}`
      const form = `attachment=@${data}/content`
      const sent = JSON.parse(curl('-X', 'PUT', '-H', bearer, '-F', form, url).toString())
      assert.equal(sent.size, content.length)
      const download = (await server.ask('GET', `${vmgw}/files/firmware/download`)).body.IoTPlatform
      assert.deepEqual(curl(download.url), content)
      assert.deepEqual(curl('-r', '10-19', download.url), content.subarray(10, 20))

      const operatorToken = readFileSync(`${data}/operator.token`, 'utf8').trim()
      const deliveries = () => server.operator('GET', '/outbox/webhooks', operatorToken)
      // Messages of the demo world's past come a moment after the start, and are none of ours.
      while ((await deliveries()).body.Total === 0) await setImmediate()
      const [adapter] = (await server.ask('GET', `${vmgw}/services`)).body.IoTPlatform
      assert.ok(adapter.url.startsWith('wss://'))
      const environment = { ...process.env, NODE_EXTRA_CA_CERTS: `${data}/tls/ca.pem` }
      const reader = spawn(process.execPath, ['-e', READER, adapter.url], { env: environment })
      t.after(() => reader.kill())
      let printed = ''
      reader.stdout.on('data', (chunk) => {
        printed += chunk
      })
      await once(reader.stdout, 'data')
      // It may have ended before the second message is answered.
      const ended = once(reader, 'exit')
      const ids: string[] = []
      for (const value of ['9223372036854775807', '-9223372036854775808']) {
        const payload = [{ tag: '01', type: 'int64', value }]
        const path = `/devices/${ICCID}/messages`
        ids.push((await server.operator('POST', path, operatorToken, { payload })).body.message.id)
      }
      await ended
      const lines = printed.trim().split('\n').slice(1)
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).id),
        ids,
      )
    })
  })
}
