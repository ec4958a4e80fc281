/**
 * Sends the scenario again and again, the first time as it is, later with mutations before each step, to one server
 * or to several side by side. With several, each request goes to all of them and their answers must agree.
 */
import { type Call, operations, toCurl, toWire } from './call.ts'
import { mutate } from './mutate.ts'
import { isSuccess, judge } from './oracle.ts'
import { Choices, seedOf } from './random.ts'
import { scenario } from './scenario.ts'
import { callOf, learn, Pool, type Step } from './step.ts'
import type { Outcome, Target } from './target.ts'

export interface Finding {
  readonly engine: string
  readonly operation: string
  readonly what: string
  readonly curl: string
}

export interface Report {
  readonly requests: number
  readonly findings: readonly Finding[]
  /** Operations that were never answered with a success. */
  readonly unreached: readonly string[]
}

export interface RunOptions {
  readonly seed: number
  readonly requests: number
  readonly onFinding?: (finding: Finding) => void
}

/** What mutations of these would leave behind would end the run, not test it. */
const ALONE: ReadonlySet<string> = new Set(['reset', 'snapshotLoad', 'clockSet', 'clockAdvance'])
const MUTANTS_MAX = 4

export async function run(targets: readonly Target[], options: RunOptions): Promise<Report> {
  const runner = new Runner(targets, options)
  for (let pass = 0; pass === 0 || runner.requests < options.requests; pass += 1) {
    for (const step of scenario) {
      if (pass > 0 && runner.requests >= options.requests) break
      if (pass > 0) await runner.sendMutants(step)
      await runner.sendStep(step)
    }
  }
  return runner.report()
}

class Runner {
  requests = 0
  readonly #lanes: readonly { readonly target: Target; readonly pool: Pool }[]
  readonly #options: RunOptions
  readonly #findings: Finding[] = []
  readonly #reached = new Set<string>()

  constructor(targets: readonly Target[], options: RunOptions) {
    this.#lanes = targets.map((target) => ({ target, pool: new Pool() }))
    this.#options = options
  }

  async sendStep(step: Step): Promise<void> {
    const outcomes = await this.#send(step.name, (pool) => callOf(step, pool))
    outcomes.forEach((outcome, index) => {
      const pool = this.#lanes[index]?.pool
      if (pool !== undefined && isSuccess(outcome)) learn(step, bodyOf(outcome), pool)
    })
    if (outcomes.every(isSuccess)) this.#reached.add(step.name)
  }

  async sendMutants(step: Step): Promise<void> {
    const { seed } = this.#options
    const mutants = new Choices(seedOf(seed, this.requests)).below(MUTANTS_MAX + 1)
    for (let left = mutants; left > 0; left -= 1) {
      const own = seedOf(seed, this.requests)
      await this.#send(step.name, (pool) => mutate(callOf(step, pool), new Choices(own), pool))
      // A fault that a mutation has added would happen to every later request.
      if (step.name === 'faultAdd') await this.#send('faultClear', (pool) => clear(pool))
      if (ALONE.has(step.name)) await this.#send('clockSet', (pool) => freeze(pool))
    }
  }

  report(): Report {
    const unreached = [...operations.keys()].filter((name) => !this.#reached.has(name))
    return { requests: this.requests, findings: this.#findings, unreached }
  }

  async #send(name: string, make: (pool: Pool) => Call): Promise<Outcome[]> {
    this.requests += 1
    const sent = this.#lanes.map(({ target, pool }) => ({ target, wire: toWire(make(pool)) }))
    const outcomes = await Promise.all(sent.map(({ target, wire }) => target.send(wire)))
    const [first] = outcomes
    sent.forEach(({ target, wire }, index) => {
      const outcome = outcomes[index]
      if (outcome === undefined || first === undefined) return
      const curl = toCurl(target.origin, wire)
      const add = (what: string) =>
        this.#add({ engine: target.engine, operation: name, what, curl })
      const what = judge(name, outcome)
      if (what !== undefined) add(what)
      else if (outcome.status !== first.status) {
        add(`status ${outcome.status}, but ${first.status} on ${sent[0]?.target.engine}`)
      }
    })
    return outcomes
  }

  #add(finding: Finding): void {
    this.#findings.push(finding)
    this.#options.onFinding?.(finding)
  }
}

function clear(pool: Pool): Call {
  return callOf({ name: 'faultClear', draft: () => ({}), keep: {} }, pool)
}

function freeze(pool: Pool): Call {
  return callOf({ name: 'clockSet', draft: () => ({ body: { mode: 'frozen' } }), keep: {} }, pool)
}

function bodyOf({ headers, text }: Outcome): unknown {
  const isJson = String(headers['content-type']).startsWith('application/json')
  return isJson ? JSON.parse(text) : text
}
