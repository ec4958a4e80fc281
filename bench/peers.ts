/** Other servers that people use in tests, installed from npm into a temporary folder, those that can be. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PEERS, type Peer } from './peer-list.ts'
import { generate, measure, residentMib, start } from './processes.ts'
import type { PeerFigures, Run } from './report.ts'

const PORT = 47_311
const PATIENCE_MS = 300_000

export async function measurePeers(run: Run): Promise<PeerFigures[]> {
  const folder = run.newFolder()
  const figures: PeerFigures[] = []
  for (const peer of PEERS) {
    const own = join(folder, peer.name.replaceAll(/\W/g, '-'))
    try {
      figures.push(await measurePeer(peer, own, run.seconds))
    } catch (error) {
      const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      figures.push({ name: peer.name, note: `did not run here: ${why.slice(0, 80)}` })
    }
  }
  return figures
}

/** Each of ours against the fastest of theirs. */
export function compareWithPeers(run: Run, ours: PeerFigures, peers: readonly PeerFigures[]): void {
  const note = (of: 'get' | 'create', name: string, least: number) => {
    const [fastest] = peers
      .flatMap((peer) => (peer[of] === undefined ? [] : [{ name: peer.name, cpu: peer[of].cpu }]))
      .sort((a, b) => a.cpu - b.cpu)
    const own = ours[of]
    if (fastest === undefined || own === undefined) return
    const ratio = fastest.cpu / own.cpu
    run.note({
      name: `${name} against the fastest peer's`,
      value: `${ratio.toFixed(2)} (${own.cpu} µs against ${fastest.cpu} µs of ${fastest.name})`,
      wanted: `at least ${least}`,
      holds: ratio >= least,
    })
  }
  note('get', 'GET item, SQLite,', 1.5)
  note('create', 'durable SIM creation, SQLite,', 1)
}

async function measurePeer(peer: Peer, folder: string, seconds: number): Promise<PeerFigures> {
  const { name } = peer
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', name]
  const npm = spawnSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: PATIENCE_MS })
  if (npm.status !== 0) return { name, note: 'did not install here' }
  const size = execFileSync('du', ['-sk', 'node_modules'], { cwd: folder, encoding: 'utf8' })
  const began = performance.now()
  const started = await start({
    args: peer.prepare(folder, PORT),
    cwd: folder,
    ...(peer.env && { env: peer.env(PORT) }),
    ...(peer.logs && { outputFile: join(folder, 'log') }),
    until: peer.until ?? /.*/,
  })
  try {
    await untilAnswered(PORT)
    const startMs = performance.now() - began
    const mib = residentMib(started.pid)
    const id = (await peer.setUp?.(PORT)) ?? ''
    const loads = await measureLoads(peer, id, started.pid, seconds)
    const installMib = Number.parseInt(size, 10) / 1024
    const measured = peer.service === undefined ? name : `${name}, its ${peer.service}`
    return { name: measured, ...loads, startMs, mib, installMib }
  } finally {
    await started.stop('SIGKILL')
  }
}

async function measureLoads(peer: Peer, id: string, pid: number, seconds: number) {
  const measured = async (request: string) => {
    const { spread } = peer
    const load = { port: PORT, connections: 64, seconds, request, ...(spread && { spread }) }
    // Ours is warm when it is measured, too.
    const { requests } = await generate({ ...load, first: 0 })
    return measure(pid, { ...load, first: spread === undefined ? requests : 0 })
  }
  const get = await measured(peer.get.replace('{id}', id))
  const create = await measured(peer.create)
  const failures = get.failures + create.failures
  return { get, create, ...(failures > 0 && { note: `${failures} requests failed` }) }
}

async function untilAnswered(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('does not answer')
}
