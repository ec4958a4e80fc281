/**
 * Walks through the scenario again and again: first as it is, then with mutations before each step, with random
 * sequences of steps in between, and with many requests at once.
 */
import { type Call, toWire } from './call.ts'
import { RESET } from './commands.ts'
import { mutate } from './mutate.ts'
import { Choices, seedOf } from './random.ts'
import { rawRequestsOf } from './raw.ts'
import { longWait, scenario } from './scenario.ts'
import { type Change, type Counts, type Finding, Session } from './session.ts'
import { type Pool, type Step, step } from './step.ts'
import type { Target } from './target.ts'

export interface Report {
  readonly counts: Counts
  readonly findings: readonly Finding[]
  /** Operations that were never answered with a success. */
  readonly unreached: readonly string[]
}

export interface RunOptions {
  readonly seed: number
  /** To all servers together. */
  readonly requests: number
  /** At most so many before each step. */
  readonly mutants?: number
  readonly onFinding?: (finding: Finding) => void
  readonly onPass?: (counts: Counts) => void
}

/** What mutations of these would leave behind would end the run, not test it. */
const ALONE: ReadonlySet<string> = new Set(['reset', 'snapshotLoad', 'clockSet', 'clockAdvance'])
/** They take a tenth of a second and more: sent seldom, so that the others are sent often. */
const HEAVY: ReadonlySet<string> = new Set([
  ...ALONE,
  ...['snapshotSave', 'snapshotImport', 'requestArchive', 'elementRequestCheck', 'encryptionCheck'],
  ...['worldApply', 'worldRead', 'metricsRead', 'requestList', 'auditExport'],
])
/** What they leave behind (a fault, an edge that a purge waits for) would change all later answers. */
const NOT_WALKED: ReadonlySet<string> = new Set([...HEAVY, 'faultAdd', 'edgeChanges'])
const walked = scenario.filter(({ name }) => !NOT_WALKED.has(name))

const MUTANTS_MAX = 4
const AT_ONCE = 8

/** How requests are sent between the steps; passes take them in this order. */
const PASSES = ['mutants', 'at once', 'walks'] as const
type PassKind = (typeof PASSES)[number]

export async function run(targets: readonly Target[], options: RunOptions): Promise<Report> {
  const session = new Session(targets, options.onFinding)
  const fuzzer = new Fuzzer(session, options)
  for (const step of scenario) await session.send(step)
  await session.shrinkFindings()
  for (let pass = 0; session.counts.requests < options.requests; pass += 1) {
    await fuzzer.pass(PASSES[pass % PASSES.length] ?? 'mutants')
    options.onPass?.(session.counts)
  }
  const { counts, findings, unreached } = session
  return { counts, findings, unreached }
}

class Fuzzer {
  readonly #session: Session
  readonly #options: RunOptions
  #index = 0

  constructor(session: Session, options: RunOptions) {
    this.#session = session
    this.#options = options
  }

  async pass(kind: PassKind): Promise<void> {
    const isCompared = kind !== 'at once'
    // Before any mutant: requests at once, and findings, leave each server in a state of its own.
    await this.#session.send(RESET)
    for (const step of scenario) {
      if (this.#session.counts.requests >= this.#options.requests) break
      const choices = this.#choices()
      const isHeavy = HEAVY.has(step.name)
      await this.#mutants(step, isHeavy ? choices.below(2) : this.#below(choices), kind)
      if (kind === 'mutants') await this.#raw(step, Math.ceil(this.#below(choices) / 4))
      if (kind === 'walks') await this.#walk(this.#below(choices))
      // The clock must move where many later steps need it, the rest of the heavy ones need not be sent.
      const isNeeded = ALONE.has(step.name) && step !== longWait
      const isSkipped = isHeavy && !isNeeded && choices.below(3) > 0
      if (!isSkipped) await this.#session.send(step, undefined, isCompared)
      if (!this.#session.isDisturbed) continue
      await this.#session.shrinkFindings()
      break
    }
  }

  async #mutants(step: Step, count: number, kind: PassKind): Promise<void> {
    const isAlone = HEAVY.has(step.name) || NOT_WALKED.has(step.name)
    const size = kind === 'at once' && !isAlone ? AT_ONCE : 1
    for (let left = count; left > 0; left -= size) {
      await Promise.all(
        Array.from({ length: Math.min(size, left) }, () => this.#mutant(step, kind !== 'at once')),
      )
    }
  }

  async #mutant(step: Step, isCompared: boolean): Promise<void> {
    const mutation = this.#mutation()
    const sent = new Map<Pool, Call>()
    const change: Change = (call, pool) => {
      const mutant = mutation(call, pool)
      sent.set(pool, mutant)
      return mutant
    }
    await this.#session.send(step, change, isCompared)
    for (const after of cleanup(step, sent)) {
      await this.#session.send(after, undefined, isCompared)
    }
  }

  #mutation(): Change {
    const seed = this.#nextSeed()
    return (call, pool) => mutate(call, new Choices(seed), pool)
  }

  /** Steps in any order, with the ids that are known by then: of what exists, and of what was deleted. */
  async #walk(length: number): Promise<void> {
    for (let left = length; left > 0; left -= 1) {
      const choices = this.#choices()
      const mutation = this.#mutation()
      const change = choices.oneIn(4) ? mutation : undefined
      const outcomes = await this.#session.send(choices.pick(walked), change)
      this.#session.counts.walked += outcomes.length
    }
  }

  async #raw(step: Step, count: number): Promise<void> {
    for (let left = NOT_WALKED.has(step.name) ? 0 : count; left > 0; left -= 1) {
      const seed = this.#nextSeed()
      await this.#session.sendRaw(step, (call) =>
        new Choices(seed).pick(rawRequestsOf(toWire(call))),
      )
    }
  }

  #below(choices: Choices): number {
    return choices.below((this.#options.mutants ?? MUTANTS_MAX) + 1)
  }

  #choices(): Choices {
    return new Choices(this.#nextSeed())
  }

  #nextSeed(): number {
    this.#index += 1
    return seedOf(this.#options.seed, this.#index)
  }
}

/** Undoes what a mutation may have left behind. */
function cleanup({ name }: Step, sent: ReadonlyMap<Pool, Call>): Step[] {
  if (name === 'faultAdd') return [step('faultClear')]
  if (ALONE.has(name)) return [step('clockSet', { body: { mode: 'frozen' } })]
  // Under a name that no later step has: every purge would wait for it.
  if (name !== 'edgeChanges') return []
  return [step('edgeDelete', (pool) => ({ params: sent.get(pool)?.params ?? {} }))]
}
