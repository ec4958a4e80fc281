/** The figures of the benchmark, how they compare with what is wanted, and the page that shows them. */
import { cpus } from 'node:os'
import { type Compared, isPinned, type Measured } from './processes.ts'

export interface Figure {
  readonly name: string
  readonly value: string
  /** Absent when nothing is wanted. */
  readonly wanted?: string
  readonly holds?: boolean
}

/** One run of the benchmark, for its parts. */
export interface Run {
  /** How long each load lasts. */
  readonly seconds: number
  /** In the large account. */
  readonly sims: number
  note(figure: Figure): void
  /** Deleted at the end of the run. */
  newFolder(): string
  /** The first of a million numbers of SIM cards that are not used yet. */
  newCards(): number
}

export interface PeerFigures {
  readonly name: string
  readonly get?: Measured
  readonly create?: Measured
  readonly startMs?: number
  readonly mib?: number
  readonly installMib?: number
  readonly note?: string
}

/** How many requests of ours fit into the CPU time of one of the other. */
export function compare(name: string, { ours, other }: Compared, least: number): Figure {
  const ratio = other.cpu / ours.cpu
  return {
    ...{ name, value: `${ratio.toFixed(2)} (${shown(ours)} against ${shown(other)})` },
    wanted: `at least ${least}`,
    holds: ratio >= least && ours.failures + other.failures === 0,
  }
}

export function below(name: string, value: number, limit: number): Figure {
  return { name, value: value.toFixed(0), wanted: `under ${limit}`, holds: value < limit }
}

/** How many times as long as the other it takes. */
export function atMost(name: string, ours: number, other: number, limit: number): Figure {
  const ratio = ours / other
  const value = `${ratio.toFixed(2)} (${ours.toFixed(0)} ms against ${other.toFixed(0)} ms)`
  return { name, value, wanted: `at most ${limit}`, holds: ratio <= limit }
}

export function shown({ perSecond, cpu, p50, p99, failures }: Measured): string {
  const failed = failures > 0 ? `, ${failures} failures` : ''
  return `${cpu} µs, ${Math.round(perSecond)}/s, p50 ${p50} ms, p99 ${p99} ms${failed}`
}

export function page(figures: readonly Figure[], peers: readonly PeerFigures[]): string {
  return `# Benchmark

Written by \`npm run bench\`; do not edit. One run on ${cpus().length} cores, Node ${process.version}${
    isPinned ? ', the server pinned to one core and the load to the other' : ''
  }. Ratios are
by CPU: the microseconds of the server process a request, all its threads included, over plain HTTP with 64 kept
connections (lists: 16). Only ratios inside one run mean anything, since other programs share the machine. What is
compared is measured alternately, at least three times, after both have run once.

Bare node:http reads the request and answers the same bytes as ours. A creation is durable when it is answered: on SQLite
it is flushed to disk, on PostgreSQL committed.

| Figure | Wanted | Measured | Holds |
|---|---|---|---|
${figures.map(figureRow).join('\n')}

## Peers

On the same core and under the same load: each answers a document of some hundred bytes (GET) and takes one (creation),
with its own defaults and its log turned off where its command line can do that; those of ours and of fauxqs are on.
None of them keeps a creation before it answers: fauxqs (attributes of a queue and messages, or objects), emulate (Stripe
customers) and @mockoon/cli keep it in memory, json-server writes its whole file a little later, azurite (table storage)
saves every few seconds, @stoplight/prism-cli keeps nothing. Start is until the first answer, memory is after the start.

| Package | GET | Creation | Start (ms) | Memory (MiB) | Installed (MiB) | |
|---|---|---|---|---|---|---|
${peers.map(peerRow).join('\n')}
`
}

function figureRow({ name, value, wanted = '', holds }: Figure): string {
  const verdict = holds === undefined ? '' : holds ? 'yes' : '**no**'
  return `| ${name} | ${wanted} | ${value} | ${verdict} |`
}

function peerRow(peer: PeerFigures): string {
  const load = (one?: Measured) => (one === undefined ? '' : shown(one))
  const whole = (value?: number) => (value === undefined ? '' : value.toFixed(0))
  const loads = `${load(peer.get)} | ${load(peer.create)}`
  const sizes = `${whole(peer.startMs)} | ${whole(peer.mib)} | ${whole(peer.installMib)}`
  return `| ${peer.name} | ${loads} | ${sizes} | ${peer.note ?? ''} |`
}
