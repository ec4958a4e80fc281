/** What is read of the server while it works: from outside, and by its own metrics. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ServerProcess } from '../../acceptance/server.ts'

export interface Sample {
  readonly minutes: number
  readonly values: Readonly<Record<string, number>>
  /** By table, without those that are kept. */
  readonly rows: Readonly<Record<string, number>>
}

/** The values of a sample, in the order of the report. */
export const VALUES = {
  memory: { title: 'Memory', unit: 'MiB' },
  descriptors: { title: 'File descriptors', unit: 'open' },
  delay: { title: 'Event-loop delay, 99th percentile', unit: 'ms' },
  rows: { title: 'Rows of all tables but those of bills and purges', unit: 'thousands' },
  disk: { title: 'Size of all tables but those of bills and purges', unit: 'MiB' },
} as const

/**
 * Bills stay for ever, by design, with the names of what is on them. Purges stay for an hour of the machine's clock, which
 * is all of the soak.
 */
const KEPT = /^(bill|metered_resource|edge_event)/

export class Sampler {
  readonly samples: Sample[] = []
  readonly #server: ServerProcess
  readonly #token: string
  readonly #database: DatabaseSync
  readonly #began = Date.now()

  constructor(server: ServerProcess, token: string, data: string) {
    this.#server = server
    this.#token = token
    this.#database = new DatabaseSync(join(data, 'kumoi.db'), { readOnly: true })
  }

  async take(): Promise<void> {
    const pid = this.#server.process.pid ?? 0
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const { body: metrics } = await this.#server.operator('GET', '/metrics', this.#token)
    const rows = this.#rows()
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    this.samples.push({
      minutes: (Date.now() - this.#began) / 60_000,
      values: {
        memory: Number(kib) / 1024,
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
        delay: 1000 * metric(metrics, 'nodejs_eventloop_lag_p99_seconds'),
        rows: total / 1000,
        disk: this.#bytes() / 2 ** 20,
      },
      rows,
    })
  }

  close(): void {
    this.#database.close()
  }

  #rows(): Record<string, number> {
    const tables = this.#database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .filter(({ name }) => !KEPT.test(String(name)))
    return Object.fromEntries(
      tables.map(({ name }) => {
        const row = this.#database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()
        return [String(name), Number(row?.n)]
      }),
    )
  }

  /** Of the same tables, with their indexes. */
  #bytes(): number {
    const tables = this.#database
      .prepare(
        `SELECT tbl_name AS name, sum(pgsize) AS bytes FROM dbstat('main', 1)
           JOIN sqlite_schema USING (name) GROUP BY tbl_name`,
      )
      .all()
      .filter(({ name }) => !KEPT.test(String(name)))
    return tables.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  }
}

function metric(text: unknown, name: string): number {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(String(text))?.[1]
  if (found === undefined) throw new Error(`There is no metric ${name}.`)
  return Number(found)
}
