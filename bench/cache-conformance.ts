/**
 * The public suite http-tests/cache-tests against our edge and against the caches of Debian, by one script in one run:
 * `node_modules/.bin/node bench/cache-conformance.ts`. The suite is installed from npm into a temporary folder.
 *
 *   --edge URL    an edge that runs already, `http://domain:port`, instead of one that is started here
 *   --failures    also prints what our edge does not pass
 *   --no-peers    our edge alone
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from '../acceptance/debian.ts'
import { freePort } from '../acceptance/ports.ts'
import type { SuiteResult, SuiteRun } from './cache-suite.ts'
import { cachePeers } from './edge-peers.ts'
import { startEdge } from './edge-server.ts'
import { runLoad, type Started, start } from './processes.ts'

const SUITE = 'http-cache-tests@0.4.5'
/** How many required tests more than the best of the others pass. */
const LEAD = 12

interface Score {
  readonly name: string
  readonly required: number
  readonly optimal: number
  /** Of RFC 9213. */
  readonly cdn: string
}

const { values } = parseArgs({
  options: {
    edge: { type: 'string' },
    failures: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const root = mkdtempSync(join(tmpdir(), 'kumoi-cache-tests-'))
const running: Started[] = []
let folders = 0

function newFolder(): string {
  folders += 1
  const folder = join(root, String(folders))
  mkdirSync(folder)
  return folder
}

function installSuite(): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', SUITE]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'ignore' })
  if (status !== 0) throw new Error(`${SUITE} could not be installed.`)
  return join(folder, 'node_modules', 'http-cache-tests')
}

/** The suite's own server, which answers as each test asks for. */
async function startOrigin(suite: string): Promise<number> {
  const port = await freePort()
  const env = { npm_config_protocol: 'http', npm_config_port: String(port) }
  const pidfile = join(root, 'origin.pid')
  const origin = await start({
    args: [join(suite, 'server/server.mjs')],
    env: { ...env, npm_config_pidfile: pidfile },
    until: /Listening on/,
  })
  running.push(origin)
  return port
}

const passed = (results: readonly SuiteResult[], kind: SuiteResult['kind']) =>
  results.filter((result) => result.kind === kind && result.passes).length

const totalOf = (results: readonly SuiteResult[], kind: SuiteResult['kind']) =>
  results.filter((result) => result.kind === kind).length

async function score(name: string, folder: string, base: string) {
  const run = (cdn: boolean) =>
    runLoad<SuiteResult[]>('cache-suite.ts', { folder, base, cdn } satisfies SuiteRun, '', () => {})
  const results = await run(false)
  const cdn = (await run(true)).filter(({ kind }) => kind !== 'check')
  const counted: Score = {
    ...{ name, required: passed(results, 'required'), optimal: passed(results, 'optimal') },
    cdn: `${cdn.filter(({ passes }) => passes).length} of ${cdn.length}`,
  }
  const totals = `${totalOf(results, 'required')} and ${totalOf(results, 'optimal')}`
  process.stdout.write(
    `${name}: required ${counted.required}, optimal ${counted.optimal} (of ${totals}), RFC 9213 ${counted.cdn}\n`,
  )
  return { counted, results: [...results, ...cdn.map((one) => ({ ...one, id: `cdn ${one.id}` }))] }
}

async function scorePeers(suite: string, originPort: number): Promise<Score[]> {
  const scores: Score[] = []
  for (const kind of cachePeers()) {
    const { port, started } = await kind.start({ folder: newFolder(), originPort })
    await untilAnswered(port)
    scores.push((await score(kind.name, suite, `http://127.0.0.1:${port}`)).counted)
    await started.stop('SIGKILL')
  }
  return scores
}

async function untilAnswered(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer !== undefined) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Nobody answers on port ${port}.`)
}

async function edgeAddress(originPort: number): Promise<string> {
  if (values.edge !== undefined) return values.edge
  const edge = await startEdge({ folder: newFolder(), originPort })
  running.push(edge.started)
  return edge.url
}

try {
  if (values.peers) installPackages('nginx-light', 'varnish', 'trafficserver')
  const suite = installSuite()
  const originPort = await startOrigin(suite)
  const ours = await score('Kumoi', suite, await edgeAddress(originPort))
  if (values.failures) {
    for (const { id, kind, passes, reason } of ours.results) {
      if (!passes && kind !== 'check') process.stdout.write(`  ${kind} ${id}: ${reason}\n`)
    }
  }
  const peers = values.peers ? await scorePeers(suite, originPort) : []
  if (peers.length > 0) {
    const required = Math.max(...peers.map((peer) => peer.required))
    const optimal = Math.max(...peers.map((peer) => peer.optimal))
    const holds = ours.counted.required >= required + LEAD && ours.counted.optimal >= optimal
    process.stdout.write(
      `Wanted: required ${required + LEAD}, optimal ${optimal}: ${holds ? 'holds' : 'does not hold'}\n`,
    )
  }
} finally {
  for (const process of running) await process.stop('SIGKILL')
  rmSync(root, { recursive: true, force: true })
}
process.exit(0)
