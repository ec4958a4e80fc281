/** What a part of the benchmark is given and says, and how figures are held against what is wanted. */
import type { Compared, Measured } from './processes.ts'

export interface Figure {
  readonly name: string
  readonly value: string
  readonly limit?: string
  readonly holds?: boolean
}

/** One run of the benchmark, for its parts. */
export interface Run {
  /** How long each load lasts. */
  readonly seconds: number
  readonly sims: number
  readonly minutes: number
  note(figure: Figure): void
  /** Goes with the end of the run. */
  newFolder(): string
  /** The first of a million numbers of cards that nobody has. */
  fresh(): number
}

export function compare(name: string, compared: Compared, least: number): Figure {
  const { byCpu, byRate, failures } = ratios(compared)
  return {
    ...beside(name, compared),
    ...{ limit: `at least ${least}`, holds: Math.min(byCpu, byRate) >= least && failures === 0 },
  }
}

/** Without anything that is wanted. */
export function beside(name: string, compared: Compared): Figure {
  const { byCpu, byRate } = ratios(compared)
  const detail = `${shown(compared.ours)} against ${shown(compared.theirs)}`
  return { name, value: `${byCpu.toFixed(2)} by CPU, ${byRate.toFixed(2)} by rate (${detail})` }
}

function ratios({ ours, theirs }: Compared) {
  return {
    byCpu: theirs.cpu / ours.cpu,
    byRate: ours.perSecond / theirs.perSecond,
    failures: ours.failures + theirs.failures,
  }
}

export function limit(name: string, value: number, most: number): Figure {
  return { name, value: value.toFixed(0), limit: `under ${most}`, holds: value < most }
}

export function atLeast(name: string, value: number, least: number, detail = ''): Figure {
  return {
    ...{ name, value: `${value.toFixed(2)}${detail && ` (${detail})`}` },
    ...{ limit: `at least ${least}`, holds: value >= least },
  }
}

export function shown({ perSecond, cpu, p50, p99, failures }: Measured): string {
  const failed = failures > 0 ? `, ${failures} failures` : ''
  return `${Math.round(perSecond)}/s, ${cpu} µs, p50 ${p50} ms, p99 ${p99} ms${failed}`
}
