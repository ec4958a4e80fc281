/**
 * Many devices by MQTT: `node_modules/.bin/node bench/mqtt.ts`. They are connected by TLS at once and send for a while;
 * in the middle the server is killed and started again. Then every message has to be there, and none twice.
 *
 *   --engine E      sqlite or postgres
 *   --devices N     2000 without it
 *   --rate N        messages a second, 2000 without it
 *   --seconds N     60 without it
 *   --no-kill       lets the server live
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newDatabaseUrl } from '../packages/server/src/testing/postgres-databases.ts'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import { CONNECTED, type DevicesOptions, type DevicesResult } from './mqtt-devices.ts'
import { type Started, start } from './processes.ts'

const MAIN = new URL('../packages/server/src/main.mjs', import.meta.url).pathname
const DEVICES = new URL('mqtt-devices.ts', import.meta.url).pathname
const ITEMS = '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem'
const TOKEN = 'bench-operator-token'
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    devices: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    kill: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const seconds = Number(values.seconds)
const iccids = Array.from(
  { length: Number(values.devices) },
  (_, n) => `8981046${String(n).padStart(12, '0')}`,
)

interface Cloud extends Started {
  readonly http: string
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function writeWorld(folder: string): string {
  const file = join(folder, 'world.json')
  const world = {
    version: 1,
    accounts: [
      {
        ...{ id: '900000000001', code: 'bench', name: 'Bench' },
        keys: [{ token: 'bench', secret: 'bench-secret', permission: 'view', external: [] }],
      },
    ],
    sim_cards: [{ iccid_from: iccids[0], count: iccids.length, passcode: 'bench' }],
    sims: iccids.map((iccid) => ({
      account: 'bench',
      CommonServiceItem: { Name: iccid, Status: { ICCID: iccid } },
      activated: true,
    })),
    projects: [{ account: 'bench', CommonServiceItem: { Name: 'devices' }, sims: iccids }],
  }
  writeFileSync(file, JSON.stringify(world))
  return file
}

async function startCloud(folder: string, args: readonly string[]): Promise<Cloud> {
  const data = ['--data', join(folder, 'data'), '--operator-token', TOKEN, '--log-level', 'error']
  const started = await start({
    node: ['--max-semi-space-size=8'],
    args: [MAIN, ...data, '--port', '0', '--http-port', '0', ...args],
    logFile: join(folder, 'log'),
    until: /Ready\./,
  })
  const [, http = ''] = /Plain HTTP\s+(http:\/\/[^/]+)/.exec(started.output) ?? []
  return { ...started, http }
}

async function operator({ http }: Cloud, method: string, path: string) {
  const answer = await fetch(`${http}/_kumoi/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

async function projectIdOf({ http }: Cloud): Promise<string> {
  const query = encodeURIComponent('{"Filter":{"Provider.Class":"iotplatform"}}')
  const answer = await fetch(`${http}${ITEMS}?${query}`, {
    headers: { authorization: `Basic ${Buffer.from('bench:bench-secret').toString('base64')}` },
  })
  return (await answer.json()).CommonServiceItems[0].ID
}

/** How often each message was stored. */
async function storedIn(cloud: Cloud): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const id = await projectIdOf(cloud)
  let before: string | null = ''
  while (before !== null) {
    const path: string = `/projects/${id}/messages?before=${before}`
    const page = await operator(cloud, 'GET', path)
    for (const { message } of page.messages) {
      const text = Buffer.from(message.payload[0].value, 'base64').toString()
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    before = page.next
  }
  return counts
}

async function secretsOf(cloud: Cloud): Promise<DevicesOptions['devices']> {
  const devices: { iccid: string; secret: string }[] = []
  for (const iccid of iccids) {
    const { secret } = await operator(cloud, 'POST', `/devices/${iccid}/secret`)
    devices.push({ iccid, secret })
  }
  return devices
}

/** Fulfilled with the first line that begins so. */
function lineOf(stream: NodeJS.ReadableStream, begin: string): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    stream.on('data', (chunk) => {
      text += chunk
      const line = text
        .split('\n')
        .slice(0, -1)
        .find((one) => one.startsWith(begin))
      if (line !== undefined) resolve(line)
    })
  })
}

const postgres = values.engine === 'postgres' ? await startPostgres() : undefined
const folder = mkdtempSync(join(tmpdir(), 'kumoi-mqtt-'))
try {
  const database = postgres === undefined ? [] : ['--database', await newDatabaseUrl(postgres.url)]
  const port = await freePort()
  const args = ['--world', writeWorld(folder), '--mqtt-port', String(port), ...database]
  let cloud = await startCloud(folder, args)
  const options: DevicesOptions = {
    ...{ port, seconds, perSecond: Number(values.rate), devices: await secretsOf(cloud) },
    ca: readFileSync(join(folder, 'data', 'tls', 'ca.pem'), 'utf8'),
  }
  const file = join(folder, 'devices.json')
  writeFileSync(file, JSON.stringify(options))
  const devices = spawn(process.execPath, [DEVICES, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  devices.once('exit', (code) => {
    if (code !== 0) process.exit(1)
  })
  const results = lineOf(devices.stdout, '{')
  await lineOf(devices.stdout, CONNECTED.trim())
  console.log(`${iccids.length} devices are connected by TLS; ${values.engine}`)
  if (values.kill) {
    await sleep(seconds * 500)
    await cloud.stop('SIGKILL')
    cloud = await startCloud(folder, args)
    console.log('the server was killed and has started again')
  }
  const result: DevicesResult = JSON.parse(await results)
  const stored = await storedIn(cloud)
  const twice = [...stored.values()].filter((count) => count > 1).length
  console.log(JSON.stringify(result))
  console.log(
    `sent ${result.sent} in ${result.seconds.toFixed(1)} s, stored ${stored.size}, lost ${result.sent - stored.size}, twice ${twice}`,
  )
  const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${cloud.pid}/status`, 'utf8'))?.[1]
  console.log(`memory of the server: ${Math.round(Number(memory) / 1024)} MiB`)
  await cloud.stop()
  process.exitCode = result.sent === stored.size && twice === 0 ? 0 : 1
} finally {
  postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
