/** The benchmark's figures as a page. */
import { cpus } from 'node:os'
import type { PeerFigures } from './peers.ts'

export interface Figure {
  readonly name: string
  readonly value: string
  readonly limit?: string
  readonly holds?: boolean
}

export function report(
  figures: readonly Figure[],
  run: { isPinned: boolean; sims: number; minutes: number; peers: readonly PeerFigures[] },
): string {
  const rows = figures.map(({ name, value, limit = '', holds }) => {
    const verdict = holds === undefined ? '' : holds ? 'yes' : '**no**'
    return `| ${name} | ${limit} | ${value} | ${verdict} |`
  })
  const peers = run.peers.map((peer) => {
    const load = (one?: { perSecond: number; cpu: number }) =>
      one === undefined ? '' : `${Math.round(one.perSecond)}/s, ${one.cpu} µs`
    const number = (value?: number) => (value === undefined ? '' : value.toFixed(0))
    return `| ${peer.name} | ${load(peer.get)} | ${load(peer.create)} | ${number(peer.startMs)} | ${number(peer.mib)} | ${number(peer.installMib)} | ${peer.note ?? ''} |`
  })
  return `# Benchmark

Written by \`npm run bench\`; do not edit. One run on ${cpus().length} cores, Node ${process.version}${
    run.isPinned ? ', the server pinned to one core and the load to the other' : ''
  }. CPU is the server's
microseconds a request. Ratios inside one run are what counts: other programs share the machine.

| Figure | Wanted | Measured | Holds |
|---|---|---|---|
${rows.join('\n')}

## Peers

Each answers one small JSON document (GET) and takes one (create) with its own defaults.

| Package | GET | Create | Start (ms) | Memory (MiB) | Installed (MiB) | |
|---|---|---|---|---|---|---|
${peers.join('\n')}
`
}
