/** The benchmark's figures as a page. */
import { cpus } from 'node:os'
import { type Figure, shown } from './figures.ts'
import type { PeerFigures } from './peers.ts'
import type { Measured } from './processes.ts'

export function report(
  figures: readonly Figure[],
  measured: readonly PeerFigures[],
  isPinned: boolean,
): string {
  const rows = figures.map(({ name, value, limit = '', holds }) => {
    const verdict = holds === undefined ? '' : holds ? 'yes' : '**no**'
    return `| ${name} | ${limit} | ${value} | ${verdict} |`
  })
  const peers = measured.map((peer) => {
    const load = (one?: Measured) => (one === undefined ? '' : shown(one))
    const number = (value?: number) => (value === undefined ? '' : value.toFixed(0))
    return `| ${peer.name} | ${load(peer.get)} | ${load(peer.create)} | ${number(peer.startMs)} | ${number(peer.mib)} | ${number(peer.installMib)} | ${peer.note ?? ''} |`
  })
  return `# Benchmark

Written by \`npm run bench\`; do not edit. One run on ${cpus().length} cores, Node ${process.version}${
    isPinned ? ', the server pinned to one core and the load to the other' : ''
  }. CPU is the server's
microseconds a request. Ratios inside one run are what counts: other programs share the machine. What is held against each
other is measured in turns, at least three times, over connections that are there already, after both have run once; on the
embedded engine in new processes each time, since one and the same program is some percent faster or slower from its
start to its end.

HTTPS costs about the same for every request, so its ratio depends on what else there is to do: it is wanted of each of
the four that are made most.

Bare node:http and node:https read the request and answer the same bytes as ours. Raw inserts are prepared INSERTs of a bare
loop into node:sqlite, each creation a transaction that is as durable as ours: once of the same rows as the server leaves,
into the server's own tables with their indexes (not the index of texts, which ours fills by hundreds), and once of one
row of five columns into a table of its own. The loop has no requests, no keys, no pass code to check; ours shares a flush among creations.

| Figure | Wanted | Measured | Holds |
|---|---|---|---|
${rows.join('\n')}

## Peers

On the same core and under the same load: each answers a JSON document of about 250 bytes (GET) and takes one (create),
with its own defaults and its log turned off where it can be. None of them makes a creation durable before it answers:
json-server writes its whole file a little later, azurite (table storage, signed with SharedKeyLite) saves every few
seconds, @mockoon/cli keeps what is created in memory, and @stoplight/prism-cli keeps nothing. Start is until the first
answer, memory is after the start.

| Package | GET | Create | Start (ms) | Memory (MiB) | Installed (MiB) | |
|---|---|---|---|---|---|---|
${peers.join('\n')}
`
}
