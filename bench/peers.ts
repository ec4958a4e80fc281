/** What people would otherwise put in place of a cloud: installed from npm into a temporary folder, those that can be. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PEERS, type Peer } from './peer-list.ts'
import { type Measured, measure, residentMib, type Started, start } from './processes.ts'

export interface PeerFigures {
  readonly name: string
  readonly get?: Measured
  readonly create?: Measured
  readonly startMs?: number
  readonly mib?: number
  readonly installMib?: number
  readonly note?: string
}

const PORT = 47_311

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
  return figures
}

async function measurePeer(peer: Peer, folder: string, seconds: number): Promise<PeerFigures> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const options = '--no-audit --no-fund --ignore-scripts'.split(' ')
  const installed = spawnSync('npm', ['install', ...options, peer.name], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 300_000,
  })
  if (installed.status !== 0) return { name: peer.name, note: 'did not install here' }
  const size = execFileSync('du', ['-sk', 'node_modules'], { cwd: folder, encoding: 'utf8' })
  const entry = join(folder, 'node_modules', peer.entry)
  const args = [entry, ...peer.prepare(folder, PORT)]
  const began = performance.now()
  const started = await start({ args, cwd: folder, until: peer.until })
  try {
    await answering(PORT)
    const startMs = performance.now() - began
    await peer.setUp?.(PORT)
    const installMib = Number.parseInt(size, 10) / 1024
    return { name: peer.name, ...(await load(peer, started, seconds)), startMs, installMib }
  } finally {
    await started.stop('SIGKILL')
  }
}

async function load(peer: Peer, { pid }: Started, seconds: number) {
  const mib = residentMib(pid)
  const common = { port: PORT, connections: 64, seconds }
  // Ours is warm when it is measured, too.
  await measure([pid], { ...common, request: peer.get })
  const get = await measure([pid], { ...common, request: peer.get })
  const create = await measure([pid], { ...common, request: peer.create })
  const failures = get.failures + create.failures
  return { mib, get, create, ...(failures > 0 && { note: `${failures} requests failed` }) }
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('does not answer')
}
