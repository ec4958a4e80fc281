/** Devices by MQTT over TLS: with the clients of mosquitto and of npm, through a crash, and on to an outgoing webhook. */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import mqtt from 'mqtt'
import { installPackages } from './debian.ts'
import { engines } from './engines.ts'
import { CLOUD, type ServerProcess, start, temporaryFolder } from './server.ts'

const isThere = () => spawnSync('mosquitto_pub', ['--help']).error === undefined
if (!isThere()) installPackages('mosquitto-clients')
const hasMosquitto = isThere()
if (!hasMosquitto) console.log('mosquitto-clients is missing: MQTT is not tried with it.')

const COUNT = 8
const iccidOf = (n: number) => `898104000000000100${n}`
const WORLD = {
  version: 1,
  accounts: [
    {
      ...{ id: '900000000001', code: 'acme', name: 'Acme' },
      keys: [{ token: 'acme-token', secret: 'acme-secret', permission: 'create', external: [] }],
    },
  ],
  sim_cards: [{ iccid_from: iccidOf(0), count: COUNT, passcode: 'pass' }],
  sims: Array.from({ length: COUNT }, (_, n) => ({
    account: 'acme',
    CommonServiceItem: { Name: `sensor-${n}`, Status: { ICCID: iccidOf(n) } },
    activated: true,
  })),
  projects: [
    {
      account: 'acme',
      CommonServiceItem: { Name: 'sensors' },
      sims: Array.from({ length: COUNT }, (_, n) => iccidOf(n)),
    },
  ],
}
const KEY = 'acme-token:acme-secret'

async function until<T>(find: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await sleep(10)
  }
}

/** A port that stays the same when the server is started again. */
async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function openSensors(t: TestContext, flags: readonly string[]) {
  const data = temporaryFolder(t)
  writeFileSync(join(data, 'world.json'), JSON.stringify(WORLD))
  const port = String(await freePort())
  const args = ['--world', join(data, 'world.json'), '--mqtt-port', port, ...flags]
  let server = await start(data, args)
  t.after(() => server.stop())
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const query = encodeURIComponent('{"Filter":{"Provider.Class":"iotplatform"}}')
  const found = await server.ask('GET', `${CLOUD}/commonserviceitem?${query}`, { key: KEY })
  const project: string = found.body.CommonServiceItems[0].ID
  const vmgw = `${CLOUD}/commonserviceitem/${project}/iotplatform/vmgw`
  const { IoTPlatform: sims } = (await server.ask('GET', `${vmgw}/sims`, { key: KEY })).body
  const operator: Operator = (method, path, body) => server.operator(method, path, token, body)
  const createAdapter = async (type: string, settings: object = {}) => {
    const IoTPlatform = { type, name: type, settings: { [type]: settings } }
    const made = await server.ask('POST', `${vmgw}/services`, { key: KEY, body: { IoTPlatform } })
    return made.body.IoTPlatform
  }
  return {
    ...{ data, port, project, operator, createAdapter },
    banner: () => server.banner,
    secret: async (n: number): Promise<string> =>
      (await operator('POST', `/devices/${iccidOf(n)}/secret`)).body.secret,
    deviceId: (n: number): string => sims[n].device_id,
    /** All values that were sent by devices, oldest first. */
    async values(): Promise<string[]> {
      const values: string[] = []
      let before: string | null = ''
      while (before !== null) {
        const path: string = `/projects/${project}/messages?before=${before}`
        const { body } = await operator('GET', path)
        for (const { direction, message } of body.messages) {
          if (direction === 'up') values.unshift(message.payload[0].value)
        }
        before = body.next
      }
      return values
    },
    async restart(signal: NodeJS.Signals): Promise<void> {
      await server.stop(signal)
      server = await start(data, args)
    },
  }
}

type Operator = (
  method: string,
  path: string,
  body?: unknown,
) => ReturnType<ServerProcess['operator']>

/** Between clients and the server: holds back what the server answers, when it is told to. */
async function openProxy(t: TestContext, target: string) {
  const proxy = { port: 0, holdsAnswers: false }
  const server = createTcpServer((client) => {
    const upstream = connect(Number(target), '127.0.0.1')
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      if (!proxy.holdsAnswers) client.write(chunk)
    })
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  proxy.port = typeof address === 'object' && address !== null ? address.port : 0
  return proxy
}

/** A receiver of webhooks. */
async function openReceiver(t: TestContext) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, bodies }
}

for (const engine of engines) {
  describe(`devices by MQTT on ${engine.name}`, { timeout: 120_000 }, () => {
    test('mosquitto: a message arrives at an outgoing webhook; one to the device waits for it', {
      skip: !hasMosquitto,
    }, async (t) => {
      const sensors = await openSensors(t, await engine.flags())
      const { data, port, createAdapter, restart } = sensors
      assert.match(sensors.banner(), new RegExp(`MQTT +mqtts://127.0.0.1:${port}\n`))
      const receiver = await openReceiver(t)
      await createAdapter('outgoing-webhook', { url: receiver.url })
      const hook: string = (await createAdapter('incoming-webhook')).url
      const credentials = ['-u', iccidOf(0), '-P', await sensors.secret(0)]
      const tls = ['-h', '127.0.0.1', '-p', port, '--cafile', `${data}/tls/ca.pem`]
      const run = async (name: 'pub' | 'sub', ...args: string[]) => {
        const all = [...tls, ...credentials, ...args]
        return (await promisify(execFile)(`mosquitto_${name}`, all)).stdout.trim()
      }
      const text = '{"payload":[{"tag":"01","type":"int64","value":"-9223372036854775808"}]}'
      await run('pub', '-t', 'up', '-q', '1', '-m', text)
      await run('pub', '-t', 'up/02', '-q', '0', '-m', 'raw')
      const arrived = await until(() =>
        receiver.bodies.length === 2 ? receiver.bodies : undefined,
      )
      assert.deepEqual(arrived.map((body) => JSON.parse(body).payload[0].value).sort(), [
        '-9223372036854775808',
        Buffer.from('raw').toString('base64'),
      ])

      // Somebody sends to the device, which is not there; the server is started again in between.
      const command = {
        device_id: sensors.deviceId(0),
        payload: [{ tag: '0A', type: 'bool', value: true }],
      }
      const curl = ['-sS', '--cacert', `${data}/tls/ca.pem`, '-d', JSON.stringify(command), hook]
      const { id } = JSON.parse(execFileSync('curl', curl, { encoding: 'utf8' }))
      await restart('SIGTERM')
      const got = await run('sub', '-t', 'down', '-q', '1', '-C', '1')
      assert.equal(JSON.parse(got).id, id)

      // To a pipe it would write what it has printed only at its end.
      const lines = ['-oL', 'mosquitto_sub', '-t', 'down/errors', '-C', '1', '-d']
      const listener = spawn('stdbuf', [...lines, ...tls, ...credentials])
      const ended = once(listener, 'exit')
      t.after(() => listener.kill())
      let heard = ''
      listener.stdout.on('data', (chunk) => {
        heard += chunk
      })
      await until(() => (heard.includes('Subscribed') ? true : undefined))
      await run('pub', '-t', 'up', '-q', '1', '-m', 'broken')
      await ended
      assert.match(heard, /"error_code":"bad_request"/)

      const code = (name: 'pub' | 'sub', ...args: string[]) =>
        run(name, ...args).then(
          () => 0,
          (error: { code: number }) => error.code,
        )
      assert.equal(await code('pub', '-t', 'up', '-q', '1', '-m', text, '-P', 'wrong'), 4)
      assert.equal(await code('pub', '-t', 'other', '-q', '1', '-m', text), 7)
      assert.equal(await code('sub', '-t', '#', '-C', '1'), 7)
      const strangers = await promisify(execFile)('mosquitto_pub', [
        ...['-h', '127.0.0.1', '-p', port, ...credentials, '-t', 'up', '-m', text],
      ]).catch((error: { code: number }) => error.code)
      assert.notEqual(strangers, 0, 'without TLS')
    })

    test('npm mqtt: a killed server loses nothing that it has acknowledged and stores nothing twice', async (t) => {
      const sensors = await openSensors(t, await engine.flags())
      const ca = readFileSync(join(sensors.data, 'tls', 'ca.pem'))
      const proxy = await openProxy(t, sensors.port)
      const clients = await Promise.all(
        Array.from({ length: COUNT }, async (_, n) => {
          const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${proxy.port}`, {
            ...{ ca, username: iccidOf(n), password: await sensors.secret(n) },
            // It resends after a lost connection without saying so, whatever it is told of sessions.
            ...{ clientId: `client-${n}`, clean: n % 2 === 0, reconnectPeriod: 100 },
          })
          client.on('error', () => undefined)
          t.after(() => client.end(true))
          return client
        }),
      )
      const least = 150
      let isHeld = false
      const sent: Promise<unknown>[] = []
      const wanted: string[] = []
      const killed = (async () => {
        const stored = async () => (await sensors.values()).length
        await until(async () => ((await stored()) > COUNT * 20 ? true : undefined))
        // From now on what is stored is acknowledged to nobody, and will be sent again.
        proxy.holdsAnswers = true
        const before = await stored()
        await until(async () => ((await stored()) > before + COUNT ? true : undefined))
        isHeld = true
        await sensors.restart('SIGKILL')
        proxy.holdsAnswers = false
      })()
      // On a busy machine all of these may be stored before any is held, so there are more until then.
      for (let n = 0; n < least || !isHeld; n += 1) {
        for (const [at, client] of clients.entries()) {
          const text = `${at} ${n}`
          wanted.push(Buffer.from(text).toString('base64'))
          sent.push(client.publishAsync('up/01', text, { qos: 1 }))
        }
        await sleep(5)
      }
      await killed
      await Promise.all(sent)
      assert.deepEqual((await sensors.values()).sort(), wanted.sort())
    })
  })
}
