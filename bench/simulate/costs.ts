/** What a unit of load costs, in microseconds of a core: from bench/report.md where it has the figure. */

export type Engine = 'sqlite' | 'postgres'

export interface Cost {
  readonly process: number
  /** Of PostgreSQL, beside the process; the embedded store is in the process. */
  readonly database: number
}

export interface Costs {
  /** A packet of accounting, at the endpoint. */
  readonly packet: Cost
  readonly message: Cost
  readonly read: Cost
  readonly list: Cost
  readonly creation: Cost
  /** Of an edge, which has no database. */
  readonly hit: Cost
}

/** docs/performance.md, "TLS": 20 to 25 µs. */
const TLS = 22
/** docs/performance.md, "What is wanted": hits of 1 KiB are at least 0.8 of bare node:http. */
const HIT_RATIO = 0.8

/** docs/performance.md, "Accounting by RADIUS": packets that wait together are one transaction. */
const PACKETS: Readonly<Record<Engine, Cost>> = {
  sqlite: { process: 147, database: 0 },
  postgres: { process: 206, database: 118 },
}

/**
 * docs/performance.md, "Messages by MQTT": 2,000 a second with the devices on the same two cores, so one core at most.
 * Of the database they are taken to cost what a packet does, which is written in the same way.
 */
const MESSAGE = 500

export function readCosts(report: string, engine: Engine): Costs {
  const name = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  // What PostgreSQL itself takes for them was not measured: as much as the process is on the safe side.
  const request = (row: string): Cost => {
    const process = figure(report, row) + TLS
    return { process, database: engine === 'sqlite' ? 0 : process - TLS }
  }
  const creation = engine === 'sqlite' ? 'durable SIM creation, SQLite' : 'SIM creation, PostgreSQL'
  const packet = PACKETS[engine]
  const bare = figure(report, 'GET item, SQLite', /against ([\d.]+) µs/)
  return {
    packet,
    message: { process: MESSAGE, database: packet.database },
    read: request(`GET item, ${name}`),
    list: request(`list of 20 SIMs with Total, sorted by name, ${name}`),
    creation: request(creation),
    hit: { process: bare / HIT_RATIO + TLS, database: 0 },
  }
}

/** The first figure in µs of the row of that name. */
function figure(report: string, row: string, pattern = /\(([\d.]+) µs/): number {
  const line = report.split('\n').find((text) => text.startsWith(`| ${row}`))
  const found = pattern.exec(line ?? '')?.[1]
  if (found === undefined) throw new Error(`bench/report.md has no figure for "${row}".`)
  return Number(found)
}
