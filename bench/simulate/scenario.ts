/** What is assumed about a day; flags of bench/simulate.ts change a part of it. */

export interface Region {
  readonly name: string
  /** Hours before or after Japan. */
  readonly offset: number
  /** Of the SIMs and of the hits. */
  readonly share: number
}

export const REGIONS: readonly Region[] = [
  { name: 'Tokyo', offset: 0, share: 0.5 },
  { name: 'Frankfurt', offset: -8, share: 0.3 },
  { name: 'Virginia', offset: -14, share: 0.2 },
]

export interface Scenario {
  readonly sims: number
  /** Between two reports of a SIM; all SIMs are connected. */
  readonly intervalSeconds: number
  readonly sessionsPerSimDay: number
  readonly messagesPerSimDay: number
  /** The mean of the day, for each million SIMs. */
  readonly requestsPerMillion: number
  readonly hitsPerMillion: number
  /** A part of all SIMs is cut off at that hour, and comes back at once. */
  readonly outage: { readonly hour: number; readonly minutes: number; readonly share: number }
  /** Cores; undefined for as many as are needed. */
  readonly capacity: { readonly process: number; readonly database: number } | undefined
  readonly seed: string
}

export const DEFAULTS: Scenario = {
  sims: 1_000_000,
  intervalSeconds: 300,
  sessionsPerSimDay: 2,
  messagesPerSimDay: 4,
  requestsPerMillion: 20,
  hitsPerMillion: 2000,
  outage: { hour: 8, minutes: 30, share: 0.1 },
  capacity: undefined,
  seed: 'scale',
}

/** Of requests: most are of one item. */
export const MIX = { read: 0.9, list: 0.08, creation: 0.02 } as const

/**
 * Measured with the load of bench/radius.ts at the endpoint on PostgreSQL in November 2026, 256 SIMs: how many packets
 * one commit holds, those of jobs counted, and what a packet adds to the write-ahead log.
 */
export const BATCH = 29
export const WAL_BYTES = 1200

/** docs/scale.md, "Disk". */
export const BYTES = { packedDay: 1900, sessionRow: 150, message: 400 } as const
