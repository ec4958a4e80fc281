/** Counts what the log of Traffic Server says. Usage and position are kept together: a line is counted once. */
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import type { AccessLog } from '../options.ts'
import type { UsageOutbox } from '../remote/usage-outbox.ts'
import { UsageCounters } from '../usage.ts'
import { parseLine } from './access-lines.ts'
import { LogTail } from './log-tail.ts'

export interface LogUsageOptions {
  readonly folder: string
  readonly outbox: UsageOutbox
  readonly accessLog: AccessLog | undefined
  readonly siteOf: (siteId: string) => EdgeSite | undefined
}

export class LogUsage {
  hits = 0
  misses = 0
  readonly #options: LogUsageOptions
  readonly #tail: LogTail
  #reading: Promise<void> | undefined

  constructor(options: LogUsageOptions) {
    this.#options = options
    this.#tail = new LogTail(options.folder, 'access.log')
  }

  /** Up to the end of the log. */
  async read(): Promise<void> {
    await this.#reading
    this.#reading = this.#readAll()
    try {
      await this.#reading
    } finally {
      this.#reading = undefined
    }
  }

  async #readAll(): Promise<void> {
    const { outbox } = this.#options
    for (;;) {
      const { lines, position } = await this.#tail.read(outbox.position)
      if (position === outbox.position) return
      await outbox.add(this.#count(lines), position)
      await this.#tail.forget(position)
    }
  }

  #count(lines: readonly string[]) {
    const { siteOf, accessLog } = this.#options
    const counters = new UsageCounters()
    for (const line of lines) {
      const record = parseLine(line)
      if (record?.siteId === undefined) continue
      const { siteId, isHit, entry } = record
      counters.count(siteId, entry.time.getTime(), entry.bytes, isHit ? 'cache' : 'origin')
      if (isHit) this.hits += 1
      else this.misses += 1
      const site = siteOf(siteId)
      if (site !== undefined) accessLog?.write(site, entry)
    }
    return counters.take()
  }
}
