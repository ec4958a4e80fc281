/**
 * The benchmark: `npm run bench`. Everything in one run, the server on one core and the load on the other, since only
 * ratios inside one run mean anything. Prints the figures and writes bench/report.md.
 *
 *   --sims N      SIMs in the large account, a million without it
 *   --seconds N   length of each load, 5 without it
 *   --no-peers    leaves out the packages that are installed from npm
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import { measureEdge } from './edge.ts'
import { measureLists } from './lists.ts'
import { measurePackage } from './package.ts'
import { compareWithPeers, measurePeers } from './peers.ts'
import { measurePostgres } from './postgres.ts'
import { measurePrevious } from './previous.ts'
import { type Figure, type PeerFigures, page, type Run } from './report.ts'
import { writeScale } from './simulate.ts'
import { measureSqlite } from './sqlite.ts'

const { values } = parseArgs({
  options: {
    sims: { type: 'string', default: '1000000' },
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
  note(figure) {
    figures.push(figure)
    // After each figure, so that a run that is interrupted leaves what it has.
    writeFileSync(new URL('report.md', import.meta.url), page(figures, peers))
    const { name, value, wanted, holds } = figure
    const verdict =
      wanted === undefined ? '' : `  (${wanted}: ${holds ? 'holds' : 'does not hold'})`
    process.stdout.write(`${name}: ${value}${verdict}\n`)
  },
  newFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-bench-'))
    folders.push(folder)
    return folder
  },
  newCards() {
    cards += 1_000_000
    return cards
  },
}

const postgres = await startPostgres()
try {
  await measurePackage(run)
  const ours = await measureSqlite(run)
  if (values.peers) {
    peers = [ours, ...(await measurePeers(run))]
    compareWithPeers(run, ours, peers.slice(1))
  }
  if (postgres !== undefined) await measurePostgres(run, postgres.url)
  await measurePrevious(run, postgres?.url)
  await measureEdge(run)
  await measureLists(run)
  if (postgres !== undefined) {
    await measureLists(run, postgres.url)
    // It needs the figures of both engines.
    writeScale()
  }
} finally {
  postgres?.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
