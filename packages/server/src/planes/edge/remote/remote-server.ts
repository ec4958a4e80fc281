/**
 * The server as an edge on another machine sees it. What the edge needs to serve on, and what it has counted, is on
 * the disk: the server may be away at any time, also while the edge starts.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Alarm, type Clock, every } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { randomHex, systemRandom } from '../../../kernel/random.ts'
import type {
  EdgeChanges,
  EdgeProbeAnswer,
  EdgeServer,
  EdgeStatus,
  EdgeUsage,
} from '../../../services/webaccel/public.ts'
import { type CallOptions, ServerCalls } from './calls.ts'
import { readJson, writeJson } from './durable-file.ts'
import { StoredSettings } from './stored-settings.ts'
import { UsageOutbox } from './usage-outbox.ts'

const DELIVERY_INTERVAL_MS = 2000
/** At once: whoever sends many of them shall not keep the server busy. */
const CHALLENGES_MAX = 8

export interface RemoteOptions extends CallOptions {
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
}

export class RemoteServer implements EdgeServer {
  /** The same after a restart. */
  readonly id: string
  readonly outbox: UsageOutbox
  readonly #calls: ServerCalls
  readonly #stored: StoredSettings
  readonly #options: RemoteOptions
  readonly #deliveries: Alarm
  /** Of the edge's reports in this process. */
  #lastSequence = 0
  #challenges = 0
  /** Undefined while the server answers. */
  #awaySince: Date | undefined

  static async open(options: RemoteOptions): Promise<RemoteServer> {
    const { folder } = options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new RemoteServer(
      options,
      await readOrMakeId(join(folder, 'edge.json')),
      await StoredSettings.open(join(folder, 'settings.json')),
      await UsageOutbox.open(join(folder, 'usage.json')),
    )
  }

  private constructor(
    options: RemoteOptions,
    id: string,
    stored: StoredSettings,
    outbox: UsageOutbox,
  ) {
    this.id = id
    this.outbox = outbox
    this.#options = options
    this.#stored = stored
    this.#calls = new ServerCalls(options)
    this.#deliveries = every(DELIVERY_INTERVAL_MS, () => void this.deliver())
  }

  /** When the server last confirmed the settings, in this process or one before; undefined: never. */
  get settingsAt(): Date | undefined {
    return this.#stored.confirmedAt
  }

  get isAway(): boolean {
    return this.#awaySince !== undefined
  }

  get siteCount(): number {
    return this.#stored.settings?.sites.length ?? 0
  }

  async changes(status: EdgeStatus, since: number | undefined): Promise<EdgeChanges> {
    const stored = this.#stored.settings
    let changes: EdgeChanges
    try {
      changes = await this.#fetch(status, since ?? stored?.version)
    } catch (error) {
      this.#noteAway(error)
      // An edge that starts has nothing in its cache: it can go on with what was in force when it ended.
      if (since === undefined && stored !== undefined) return complete(stored)
      throw error
    }
    this.#noteBack()
    const settings = await this.#stored.take(changes, this.#options.clock.now())
    return since === undefined ? { ...complete(settings), probes: changes.probes } : changes
  }

  async #fetch(status: EdgeStatus, since: number | undefined): Promise<EdgeChanges> {
    const { id: _id, ...own } = status
    const body = { status: own, since: since ?? null }
    return changesOf(await this.#calls.post(`/edges/${this.id}/changes`, body))
  }

  /** Fulfilled when it is on the disk. A report that is repeated since its writing failed is added once. */
  async report(_edgeId: string, sequence: number, usage: readonly EdgeUsage[]): Promise<void> {
    if (sequence <= this.#lastSequence) return
    await this.outbox.add(usage)
    this.#lastSequence = sequence
  }

  async answer(_edgeId: string, probeVersion: number, answer: EdgeProbeAnswer): Promise<void> {
    await this.#calls.post(`/edges/${this.id}/answers`, { probeVersion, answer })
  }

  /** Undefined also when the server cannot be asked, or does not know how: then the origin is. */
  async findChallenge(challenge: string): Promise<string | undefined> {
    if (this.#challenges >= CHALLENGES_MAX) return undefined
    this.#challenges += 1
    try {
      const reply = await this.#calls.post(`/edges/${this.id}/challenges`, { challenge })
      const { answer } = Object(reply)
      return typeof answer === 'string' ? answer : undefined
    } catch {
      return undefined
    } finally {
      this.#challenges -= 1
    }
  }

  async deliver(): Promise<void> {
    const { log } = this.#options
    try {
      await this.outbox.deliver(async (sequence, usage) => {
        await this.#calls.post(`/edges/${this.id}/reports`, { sequence, usage })
      })
    } catch (error) {
      // While the server is away that has been said already.
      if (!this.isAway) log.error({ err: error }, 'usage was not reported and will be sent again')
    }
  }

  /** After the edge has stopped. What the server does not take now is sent after the next start. */
  async close(): Promise<void> {
    this.#deliveries.cancel()
    await this.deliver()
    // So that no purge waits for this edge. The server forgets its sequences, so nothing may be left to repeat.
    if (this.outbox.isEmpty) {
      await this.#calls.post(`/edges/${this.id}/leave`, {}).catch(() => undefined)
    }
    this.#calls.close()
  }

  #noteAway(error: unknown): void {
    if (this.#awaySince !== undefined) return
    const { log, clock } = this.#options
    this.#awaySince = clock.now()
    const settingsAt = this.settingsAt?.toISOString() ?? 'never'
    log.error({ err: error, settingsAt }, 'the server does not answer: the edge serves on')
  }

  #noteBack(): void {
    const away = this.#awaySince
    if (away === undefined) return
    this.#awaySince = undefined
    const { log, clock } = this.#options
    const now = clock.now()
    const awaySeconds = Math.round((now.getTime() - away.getTime()) / 1000)
    const fields = { level: 'info', time: now.toISOString(), awaySeconds }
    log.line(`${JSON.stringify({ ...fields, msg: 'the server answers again' })}\n`)
  }
}

function complete({ version, sites }: { version: number; sites: EdgeChanges['sites'] }) {
  return { version, isComplete: true, sites, removedSiteIds: [], purges: [], probes: [] }
}

async function readOrMakeId(file: string): Promise<string> {
  const { id } = Object(await readJson(file))
  if (typeof id === 'string') return id
  const made = randomHex(systemRandom, 32)
  await writeJson(file, { id: made })
  return made
}

/** The server is trusted; an answer of something else in its place must not take all sites away. */
function changesOf(value: unknown): EdgeChanges {
  const { version, isComplete, sites, removedSiteIds, purges, probes } = Object(value)
  const lists = [sites, removedSiteIds, purges, probes]
  if (
    !Number.isSafeInteger(version) ||
    typeof isComplete !== 'boolean' ||
    !lists.every(Array.isArray)
  ) {
    throw new Error('The server did not answer with the changes of sites.')
  }
  return { version, isComplete, sites, removedSiteIds, purges, probes }
}
