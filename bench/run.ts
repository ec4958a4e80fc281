/**
 * The benchmark: `npm run bench`. Everything side by side in one run, the server on one core and the load on the
 * other, since only ratios inside one run say anything. Prints a table and writes bench/report.md.
 *
 *   --sims N      fills fewer than a million
 *   --minutes N   is the length of the run for flat memory, 10 without it; 0 leaves it out
 *   --seconds N   is the length of each other load, 5 without it
 *   --no-peers    leaves out what is installed from npm
 */
import { rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import { newFolder } from './cloud.ts'
import type { Figure, Run } from './figures.ts'
import { flatMemory } from './flat-memory.ts'
import { largeAccount } from './large-account.ts'
import { onPostgres } from './on-postgres.ts'
import { againstPeers, oneCore } from './one-core.ts'
import { measurePeers, type PeerFigures } from './peers.ts'
import { isPinned } from './processes.ts'
import { report } from './report.ts'

const { values } = parseArgs({
  options: {
    sims: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const figures: Figure[] = []
const folders: string[] = []
let peers: readonly PeerFigures[] = []
let cards = 1000

const run: Run = {
  seconds: Number(values.seconds),
  sims: Number(values.sims),
  minutes: Number(values.minutes),
  note(figure) {
    figures.push(figure)
    write()
    const { name, value, holds } = figure
    const verdict = holds === undefined ? '' : holds ? '  (holds)' : '  (does not hold)'
    process.stdout.write(`${name}: ${value}${verdict}\n`)
  },
  newFolder() {
    const folder = newFolder()
    folders.push(folder)
    return folder
  },
  fresh() {
    cards += 1_000_000
    return cards
  },
}

/** After each figure, so that a run that is broken off leaves what it has. */
function write(): void {
  writeFileSync(new URL('report.md', import.meta.url), report(figures, peers, isPinned))
}

const postgres = await startPostgres()
try {
  const ours = await oneCore(run)
  if (values.peers) {
    const others = await measurePeers(run.newFolder(), run.seconds)
    peers = [ours, ...others]
    againstPeers(run, ours, others)
  }
  if (postgres !== undefined) await onPostgres(run, postgres.url)
  await largeAccount(run)
  if (postgres !== undefined) await largeAccount(run, postgres.url)
  if (run.minutes > 0) await flatMemory(run)
} finally {
  postgres?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
