/** What people would otherwise put in place of a cloud: installed from npm into a temporary folder, those that can be. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measure, residentMib, type Started, start } from './processes.ts'

interface Peer {
  readonly name: string
  readonly entry: string
  /** Writes what it serves and answers with its arguments. */
  prepare(folder: string, port: number): readonly string[]
  readonly until: RegExp
  readonly create: boolean
}

export interface PeerFigures {
  readonly name: string
  readonly get?: { readonly perSecond: number; readonly cpu: number }
  readonly create?: { readonly perSecond: number; readonly cpu: number }
  readonly startMs?: number
  readonly mib?: number
  readonly installMib?: number
  readonly note?: string
}

const PORT = 47_311
const PATH = '/items/910000000001'

const PEERS: readonly Peer[] = [
  {
    name: 'json-server@0.17.4',
    entry: 'json-server/lib/cli/bin.js',
    prepare(folder, port) {
      const items = [{ id: 910000000001, Name: 'meter', Status: { ICCID: '8981045000000000001' } }]
      writeFileSync(join(folder, 'db.json'), JSON.stringify({ items }))
      return ['--port', String(port), '--quiet', join(folder, 'db.json')]
    },
    until: /.*/,
    create: true,
  },
  {
    name: '@stoplight/prism-cli',
    entry: '@stoplight/prism-cli/dist/index.js',
    prepare(folder, port) {
      const reply = {
        description: 'ok',
        content: { 'application/json': { example: { ID: '910000000001', Name: 'meter' } } },
      }
      const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
      const document = {
        openapi: '3.0.3',
        info: { title: 'items', version: '1' },
        paths: {
          '/items/{id}': { get: { parameters, responses: { 200: reply } } },
          '/items': { post: { responses: { 201: reply } } },
        },
      }
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
      return ['mock', '-p', String(port), '-h', '127.0.0.1', join(folder, 'openapi.json')]
    },
    until: /listening/i,
    create: true,
  },
]

const NOT_MEASURED: readonly PeerFigures[] = [
  { name: 'azurite', note: 'not measured: every request has to be signed' },
  { name: '@mockoon/cli', note: 'not measured: needs an environment file of its desktop program' },
]

export async function measurePeers(folder: string, seconds: number): Promise<PeerFigures[]> {
  const figures: PeerFigures[] = []
  for (const peer of PEERS) {
    try {
      figures.push(await measurePeer(peer, join(folder, peer.name.replaceAll(/\W/g, '-')), seconds))
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      figures.push({ name: peer.name, note: `did not run here: ${why.slice(0, 80)}` })
    }
  }
  return [...figures, ...NOT_MEASURED]
}

async function measurePeer(peer: Peer, folder: string, seconds: number): Promise<PeerFigures> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const options = '--no-audit --no-fund --ignore-scripts'.split(' ')
  const installed = spawnSync('npm', ['install', ...options, peer.name], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 150_000,
  })
  if (installed.status !== 0) return { name: peer.name, note: 'did not install here' }
  const size = execFileSync('du', ['-sk', 'node_modules'], { cwd: folder, encoding: 'utf8' })
  const entry = join(folder, 'node_modules', peer.entry)
  const args = [entry, ...peer.prepare(folder, PORT)]
  const began = performance.now()
  const started = await start({ args, cwd: folder, until: peer.until }).catch(() => undefined)
  if (started === undefined) return { name: peer.name, note: 'did not start here' }
  await answering(PORT)
  const startMs = performance.now() - began
  try {
    return {
      name: peer.name,
      ...(await load(peer, started, seconds)),
      startMs,
      installMib: Number.parseInt(size, 10) / 1024,
    }
  } finally {
    await started.stop('SIGKILL')
  }
}

async function load({ create }: Peer, { pid }: Started, seconds: number) {
  const mib = residentMib(pid)
  const head = 'Host: 127.0.0.1\r\n'
  const body = JSON.stringify({ Name: 'meter', Status: { ICCID: '8981045000000000000' } })
  const get = {
    port: PORT,
    connections: 64,
    seconds,
    request: `GET ${PATH} HTTP/1.1\r\n${head}\r\n`,
  }
  const post = {
    ...get,
    request: `POST /items HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  }
  await measure([pid], { ...get, seconds: 2 })
  return {
    mib,
    get: await measure([pid], get),
    ...(create && { create: await measure([pid], post) }),
  }
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}`).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('does not answer')
}
