/**
 * The web accelerator's edge: what a hit costs, and how much memory it takes. Part of `npm run bench`; by itself
 * `node_modules/.bin/node bench/edge.ts [--seconds N]`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from '../acceptance/debian.ts'
import { type BareEdge, startBareEdge } from './edge-bare.ts'
import { type CachePeer, cachePeers } from './edge-peers.ts'
import { DOMAIN, type EdgeProcess, startEdge } from './edge-server.ts'
import type { Http2Load } from './h2-load.ts'
import { CONNECTED, type LoadResult } from './load.ts'
import {
  type Compared,
  cpuSeconds,
  type Measured,
  measure,
  merge,
  ROUNDS,
  residentMib,
  runLoad,
  start,
} from './processes.ts'
import { below, compare, type Run, shown } from './report.ts'

const MIB = 2 ** 20
const GIB = 2 ** 30
const CACHE_MIB = 64
/** What a process has besides the objects: code, buffers of connections, and garbage that was not collected yet. */
const BESIDES_MIB = 128

const ORIGIN = new URL('edge-origin.ts', import.meta.url).pathname

export async function measureEdge(run: Run): Promise<void> {
  installPackages('nginx-light', 'varnish', 'trafficserver')
  const until = /Ready\. (\d+)\n/
  const origin = await start({ args: [ORIGIN], until })
  const originPort = Number(until.exec(origin.output)?.[1])
  try {
    await measureHits(run, originPort)
    await measureMemory(run, originPort)
  } finally {
    await origin.stop('SIGKILL')
  }
}

async function measureHits(run: Run, originPort: number): Promise<void> {
  const folder = run.newFolder()
  const tls = makeCertificate(folder)
  const edge = await startEdge({ folder, originPort })
  const { headers } = await ask(edge.port, '/hit')
  const bare = await startBareEdge(folder, {
    ...{ status: 200, headers, body: 'k'.repeat(1024) },
    cert: readFileSync(tls.cert, 'utf8'),
    key: readFileSync(tls.key, 'utf8'),
  })
  try {
    const plain = await rounds(edge, bare, ({ port, started }) => hits(started.pid, port, run))
    run.note(compare('edge: hits of 1 KiB, against bare node:http', plain, 0.8))
    const secure = await rounds(edge, bare, ({ tlsPort, started }) =>
      http2Hits(started.pid, tlsPort, run),
    )
    run.note(compare('edge: hits of 1 KiB by HTTP/2 with TLS, against bare streams', secure, 0.7))
  } finally {
    await edge.started.stop('SIGKILL')
    await bare.started.stop('SIGKILL')
  }
  for (const kind of cachePeers()) {
    const peer = await kind.start({ folder: run.newFolder(), originPort, tls })
    await notePeer(run, peer)
    await peer.started.stop('SIGKILL')
  }
}

async function rounds(
  edge: EdgeProcess,
  bare: BareEdge,
  one: (server: EdgeProcess | BareEdge) => Promise<Measured>,
): Promise<Compared> {
  // Both once before, so that their code is compiled.
  await one(edge)
  await one(bare)
  const [ours, other]: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await one(edge))
    other.push(await one(bare))
  }
  return { ours: merge(ours), other: merge(other) }
}

async function notePeer(run: Run, { name, pid, port, tlsPort }: CachePeer): Promise<void> {
  await untilAnswered(port)
  run.note({ name: `hits of 1 KiB, ${name}`, value: shown(await hits(pid(), port, run)) })
  if (tlsPort === undefined) return
  const secure = await http2Hits(pid(), tlsPort, run)
  run.note({ name: `hits of 1 KiB by HTTP/2 with TLS, ${name}`, value: shown(secure) })
}

function hits(pid: number, port: number, { seconds }: Run): Promise<Measured> {
  const request = `GET /hit HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`
  return measure(pid, { port, connections: 64, seconds, request })
}

async function http2Hits(pid: number, port: number, { seconds }: Run): Promise<Measured> {
  const load: Http2Load = {
    ...{ port, authority: DOMAIN, path: '/hit' },
    ...{ connections: 4, streams: 16, seconds },
  }
  let before = 0
  const result = await runLoad<LoadResult>('h2-load.ts', load, CONNECTED, () => {
    before = cpuSeconds(pid)
  })
  const used = cpuSeconds(pid) - before
  return { ...result, cpu: Math.round((used / Math.max(1, result.requests)) * 1e7) / 10 }
}

/** What the process grows by: with a large object that passes through, and with four times what the cache may hold. */
async function measureMemory(run: Run, originPort: number): Promise<void> {
  const args = ['--edge-cache-mb', String(CACHE_MIB)]
  const { started, port } = await startEdge({ folder: run.newFolder(), originPort, args })
  try {
    for (let n = 0; n < 50; n += 1) await ask(port, `/warm/${n}`)
    const before = residentMib(started.pid)
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, residentMib(started.pid))
    }, 20)
    const { bytes } = await ask(port, `/bytes/${GIB}`)
    if (bytes !== GIB) throw new Error(`Of 1 GiB came ${bytes} bytes.`)
    run.note(below('edge: growth while 1 GiB passes through (MiB)', most - before, 60))
    for (let n = 0; n < 4 * CACHE_MIB; n += 1) await ask(port, `/bytes/${MIB}/${n}`)
    clearInterval(timer)
    const name = `edge: growth with a cache of ${CACHE_MIB} MiB and ${4 * CACHE_MIB} MiB of objects (MiB)`
    run.note(below(name, most - before, CACHE_MIB + BESIDES_MIB))
  } finally {
    await started.stop('SIGKILL')
  }
}

interface Answer {
  readonly headers: Record<string, string>
  readonly bytes: number
}

function ask(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get({ port, path, host: '127.0.0.1', headers: { host: DOMAIN } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
        if (answer.statusCode === 200) resolve({ headers: Object.fromEntries(headers), bytes })
        else reject(new Error(`${path} is ${answer.statusCode}.`))
      })
    })
    request.on('error', reject)
  })
}

async function untilAnswered(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await ask(port, '/hit').catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Nobody answers on port ${port}.`)
}

function makeCertificate(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-days', '2', '-subj', `/CN=${DOMAIN}`, '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  )
  return { cert, key }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '3' } } })
  const folders: string[] = []
  await measureEdge({
    seconds: Number(values.seconds),
    sims: 0,
    note: ({ name, value, wanted, holds }) => {
      const verdict = wanted === undefined ? '' : `  (${wanted}: ${holds ? 'holds' : 'no'})`
      process.stdout.write(`${name}: ${value}${verdict}\n`)
    },
    newFolder() {
      const folder = mkdtempSync(join(tmpdir(), 'kumoi-edge-'))
      folders.push(folder)
      return folder
    },
    newCards: () => 0,
  }).finally(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  process.exit(0)
}
