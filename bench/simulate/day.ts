/** A day of load, minute by minute: what arrives, what it costs, and what waits. */
import { SeededRandom } from '../../packages/server/src/kernel/random.ts'
import type { Cost, Costs } from './costs.ts'
import { BATCH, BYTES, MIX, REGIONS, type Scenario, WAL_BYTES } from './scenario.ts'

const MINUTES = 1440
/** Of the SIMs that come back, half connect within each minute. */
const COMING_BACK = 0.5
/** Two packets: may it, and it has. */
const PACKETS_PER_ATTACH = 2
const NOISE = 0.05

/** Rates are a second, cores those of the work that arrives. */
export interface Minute {
  readonly interims: number
  readonly attaches: number
  readonly messages: number
  readonly requests: number
  readonly hits: readonly number[]
  readonly cores: Cost
  readonly commits: number
  /** Written to the log of PostgreSQL. */
  readonly walBytes: number
  readonly bytes: number
  /** Units of load that wait at the end of the minute, and for how long. */
  readonly queue: number
  readonly waitSeconds: number
}

export function simulateDay(scenario: Scenario, costs: Costs): Minute[] {
  const random = new SeededRandom(scenario.seed)
  const noise = () => 1 + NOISE * (random.bytes(2).readUInt16BE() / 32_768 - 1)
  const queue = new Queue(scenario.capacity)
  const { outage } = scenario
  let away = 0
  return Array.from({ length: MINUTES }, (_, minute) => {
    const since = minute - outage.hour * 60
    if (since === 0) away = scenario.sims * outage.share
    const back = since >= outage.minutes ? away * COMING_BACK : 0
    away = away - back < 1 ? 0 : away - back
    const load = loadOf(scenario, minute, { away, back, noise })
    const work = workOf(load, costs)
    const units = load.interims + load.attaches + load.messages + load.requests
    return { ...load, ...work, bytes: bytesOf(scenario, load), ...queue.pass(units, work.cores) }
  })
}

type Load = Pick<Minute, 'interims' | 'attaches' | 'messages' | 'requests' | 'hits'>

function loadOf(
  scenario: Scenario,
  minute: number,
  { away, back, noise }: { away: number; back: number; noise: () => number },
): Load {
  const { sims } = scenario
  const today = REGIONS.map(({ share, offset }) => share * activity(minute / 60 + offset))
  const active = today.reduce((sum, share) => sum + share, 0)
  const perDay = (count: number) => (count / 86_400) * active * noise()
  return {
    interims: ((sims - away) / scenario.intervalSeconds) * noise(),
    attaches: perDay(sims * scenario.sessionsPerSimDay) + back / 60,
    messages: perDay(sims * scenario.messagesPerSimDay),
    requests: (sims / 1e6) * scenario.requestsPerMillion * active * noise(),
    hits: today.map((share) => (sims / 1e6) * scenario.hitsPerMillion * share * noise()),
  }
}

/** 1 in the mean of a day, most at eight in the evening. */
function activity(hour: number): number {
  return 1 + 0.7 * Math.cos(((hour - 20) / 24) * 2 * Math.PI)
}

function workOf(load: Load, costs: Costs): Pick<Minute, 'cores' | 'commits' | 'walBytes'> {
  const packets = load.interims + load.attaches * PACKETS_PER_ATTACH
  const parts: [number, Cost][] = [
    [packets, costs.packet],
    [load.messages, costs.message],
    [load.requests * MIX.read, costs.read],
    [load.requests * MIX.list, costs.list],
    [load.requests * MIX.creation, costs.creation],
  ]
  const sum = (part: keyof Cost) =>
    parts.reduce((total, [rate, cost]) => total + rate * cost[part], 0) / 1e6
  return {
    cores: { process: sum('process'), database: sum('database') },
    commits: (packets + load.messages) / BATCH + load.requests * MIX.creation,
    walBytes: (packets + load.messages) * WAL_BYTES,
  }
}

/** A session has a row for its begin and one for its end. */
function bytesOf({ sims }: Scenario, { attaches, messages }: Load): number {
  const packed = (sims * BYTES.packedDay) / MINUTES
  return packed + 60 * (attaches * 2 * BYTES.sessionRow + messages * BYTES.message)
}

/** What is not done in its minute is done in the next ones, all kinds alike. */
class Queue {
  readonly #capacity: Scenario['capacity']
  #units = 0
  #process = 0
  #database = 0

  constructor(capacity: Scenario['capacity']) {
    this.#capacity = capacity
  }

  pass(units: number, cores: Cost): { queue: number; waitSeconds: number } {
    if (this.#capacity === undefined) return { queue: 0, waitSeconds: 0 }
    const { process, database } = this.#capacity
    this.#units += units * 60
    this.#process += cores.process * 60
    this.#database += cores.database * 60
    const isDone = (seconds: number, capacity: number) =>
      seconds === 0 ? 1 : Math.min(1, (capacity * 60) / seconds)
    const done = Math.min(isDone(this.#process, process), isDone(this.#database, database))
    this.#units *= 1 - done
    this.#process *= 1 - done
    this.#database *= 1 - done
    const waitSeconds = Math.max(
      this.#process / process,
      database === 0 ? 0 : this.#database / database,
    )
    return { queue: this.#units, waitSeconds }
  }
}
