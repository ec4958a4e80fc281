/**
 * Sends calls to one server or to several side by side, compares what they answer with the contract and with each
 * other, and makes what it finds small enough to be repeated by hand.
 */
import { type Call, operations, toWire } from './call.ts'
import { commandsOf, RESET } from './commands.ts'
import { hasOneAnswer, isSuccess, judge } from './oracle.ts'
import { judgeRaw, type RawRequest, sendRaw, toPrintf } from './raw.ts'
import { type Form, formOf, judgeForm } from './shape.ts'
import { shrink } from './shrink.ts'
import { simplerCalls } from './simpler.ts'
import { callOf, learn, Pool, type Step } from './step.ts'
import type { Outcome, Target } from './target.ts'

export interface Finding {
  readonly engine: string
  readonly operation: string
  readonly what: string
  /** The commands that repeat it, one in a line. */
  readonly repeat: string
}

/** A request to all servers, as it may be sent again. */
interface Sent {
  readonly step: Step
  /** One for each server: their ids may differ. */
  readonly calls: readonly Call[]
  /** What each answer gave to later calls, by name. */
  readonly learned: readonly ReadonlyMap<string, string>[]
}

interface Wrong {
  /** Of all servers that have answered so. */
  readonly engines: readonly string[]
  readonly what: string
}

/** Shrinking takes seconds; one cause may be found a thousand times. */
const SHRUNK_MAX = 8

export interface Counts {
  requests: number
  successes: number
  refusals: number
  /** Of the refusals, those that test nothing: for too many wrong credentials, or too many calls. */
  throttled: number
  /** By how they were sent; the rest follow the scenario. */
  walked: number
  atOnce: number
  raw: number
  /** Calls with a form that the contract decides about. */
  readonly forms: Record<Form, number>
}

export class Session {
  readonly counts: Counts = {
    ...{ requests: 0, successes: 0, refusals: 0, throttled: 0, walked: 0, atOnce: 0, raw: 0 },
    forms: { fits: 0, outside: 0, undecided: 0 },
  }
  readonly findings: Finding[] = []
  readonly #targets: readonly Target[]
  readonly #onFinding: (finding: Finding) => void
  #pools: readonly Pool[]
  /** Since the last reset, what has changed something: nothing else can be the cause of a later answer. */
  #history: Sent[] = []
  /** By the name of a snapshot: what was known when it was taken. */
  readonly #saved = new Map<string, readonly Pool[]>()
  #unshrunk: { readonly sent: readonly Sent[]; readonly wrong: Wrong }[] = []
  readonly #shrunk = new Set<string>()
  readonly #reached = new Set<string>()

  constructor(targets: readonly Target[], onFinding: (finding: Finding) => void = () => {}) {
    this.#targets = targets
    this.#pools = targets.map(() => new Pool())
    this.#onFinding = onFinding
  }

  get unreached(): string[] {
    return [...operations.keys()].filter((name) => !this.#reached.has(name))
  }

  /** Whether what was found has left the servers in another state than the run expects. */
  get isDisturbed(): boolean {
    return this.#unshrunk.length > 0
  }

  /** Servers are compared with each other only where requests follow each other. */
  async send(step: Step, change: Change = same, isCompared = true): Promise<readonly Outcome[]> {
    const calls = this.#pools.map((pool) => change(callOf(step, pool), pool))
    const outcomes = await this.#exchange(calls)
    this.#count(calls, outcomes)
    if (!isCompared) this.counts.atOnce += calls.length
    if (calls[0] !== undefined && outcomes.every(isSuccess)) this.#follow(calls[0])
    const learned = this.#learn(step, outcomes, this.#pools)
    const sent = { step, calls, learned }
    for (const wrong of wrongOf(
      this.#targets,
      sent,
      outcomes,
      isCompared && hasOneAnswer(step.name, this.#history),
    )) {
      this.#unshrunk.push({ sent: [...this.#history, sent], wrong })
    }
    const isChange = operations.get(step.name)?.operation.method !== 'GET'
    if (isChange && outcomes.some(isSuccess)) this.#history.push(sent)
    return outcomes
  }

  /**
   * Nothing known is there after a reset. After a snapshot was loaded, what was created since it was taken is gone, and
   * its ids are given to other things: on each server to another, since PostgreSQL leaves numbers out.
   */
  #follow({ name, params, body }: Call): void {
    if (name === 'reset') {
      this.#history = []
      this.#pools = this.#targets.map(() => new Pool())
    }
    if (name === 'snapshotSave') {
      const saved = JSON.parse(body ?? '').name
      this.#saved.set(
        saved,
        this.#pools.map((pool) => pool.copy()),
      )
    }
    const saved = name === 'snapshotLoad' ? this.#saved.get(params.name ?? '') : undefined
    if (saved !== undefined) this.#pools = saved.map((pool) => pool.copy())
  }

  /** One call as bytes of its own making, to each server. */
  async sendRaw(step: Step, choose: (call: Call) => RawRequest): Promise<void> {
    const requests = this.#pools.map((pool) => choose(callOf(step, pool)))
    const outcomes = await Promise.all(
      requests.map((request, index) => sendRaw(this.#targets[index]?.origin ?? '', request)),
    )
    this.counts.requests += requests.length
    this.counts.raw += requests.length
    requests.forEach((request, index) => {
      const outcome = outcomes[index]
      const { engine = '', origin = '' } = this.#targets[index] ?? {}
      const first = outcomes[0]?.statuses.join()
      if (outcome === undefined) return
      const differs = outcome.statuses.join() !== first && !request.isCutOff
      const what =
        judgeRaw(step.name, request, outcome) ??
        (differs ? `statuses ${outcome.statuses}, but ${first} on the other` : undefined)
      if (what === undefined) return
      const repeat = toPrintf(origin, request)
      this.#add({ engine, operation: step.name, what: `${request.what}: ${what}`, repeat })
    })
  }

  /** The servers are reset for it again and again, and are in no known state afterwards. */
  async shrinkFindings(): Promise<void> {
    const found = this.#unshrunk
    this.#unshrunk = []
    for (const { sent, wrong } of found) {
      const { name = '' } = sent.at(-1)?.step ?? {}
      const kind = `${name} ${kindOf(wrong.what)}`
      const isShrunk = !this.#shrunk.has(kind) && this.#shrunk.size < SHRUNK_MAX
      this.#shrunk.add(kind)
      const smallest = isShrunk ? await this.#shrink(sent, wrong) : undefined
      const note = isShrunk && smallest === undefined ? ' (not repeated by what came before)' : ''
      this.#add({
        ...{ engine: wrong.engines.join(' and '), operation: name, what: `${wrong.what}${note}` },
        repeat: this.#commands(wrong, smallest ?? sent.slice(-1)),
      })
    }
  }

  #shrink(sequence: readonly Sent[], wrong: Wrong): Promise<readonly Sent[] | undefined> {
    const fails = async (attempt: readonly Sent[]) =>
      (await this.#replay(attempt)).some((other) => kindOf(other.what) === kindOf(wrong.what))
    return shrink({ sequence, fails, simpler: simplerSent })
  }

  /** Sends again, with the ids of the new answers in place of the old ones. What is wrong with the last answer. */
  async #replay(sequence: readonly Sent[]): Promise<readonly Wrong[]> {
    const pools = this.#targets.map(() => new Pool())
    const renamed = this.#targets.map(() => new Map<string, string>())
    await this.#exchange(pools.map((pool) => callOf(RESET, pool)))
    let wrong: readonly Wrong[] = []
    for (const sent of sequence) {
      const calls = sent.calls.map((call, index) => withIds(call, renamed[index]))
      const outcomes = await this.#exchange(calls)
      this.#learn(sent.step, outcomes, pools).forEach((learned, index) => {
        for (const [name, value] of learned) {
          const old = sent.learned[index]?.get(name)
          if (old !== undefined && old !== '' && old !== value) renamed[index]?.set(old, value)
        }
      })
      wrong = wrongOf(
        this.#targets,
        { ...sent, calls },
        outcomes,
        hasOneAnswer(sent.step.name, sequence),
      )
    }
    return wrong
  }

  #exchange(calls: readonly Call[]): Promise<readonly Outcome[]> {
    return Promise.all(
      this.#targets.map((target, index) => {
        const call = calls[index]
        if (call === undefined) throw new Error('There is a call for each server.')
        return target.send(toWire(call))
      }),
    )
  }

  #learn(step: Step, outcomes: readonly Outcome[], pools: readonly Pool[]) {
    if (outcomes.every(isSuccess)) this.#reached.add(step.name)
    return outcomes.map((outcome, index) => {
      const pool = pools[index]
      if (pool === undefined || !isSuccess(outcome)) return new Map<string, string>()
      learn(step, bodyOf(outcome), pool)
      return new Map(Object.keys(step.keep).map((name) => [name, pool.get(name)]))
    })
  }

  #count(calls: readonly Call[], outcomes: readonly Outcome[]): void {
    this.counts.requests += calls.length
    for (const call of calls) this.counts.forms[formOf(call)] += 1
    for (const outcome of outcomes) {
      this.counts[isSuccess(outcome) ? 'successes' : 'refusals'] += 1
      if (outcome.status === 429) this.counts.throttled += 1
    }
  }

  #commands({ engines: [first] }: Wrong, sequence: readonly Sent[]): string {
    const index = this.#targets.findIndex(({ engine }) => engine === first)
    const repeated = sequence.flatMap(({ step, calls, learned }) => {
      const call = calls[index]
      return call === undefined ? [] : [{ step, call, learned: learned[index] ?? new Map() }]
    })
    return commandsOf(this.#targets[index]?.origin ?? '', repeated)
  }

  #add(finding: Finding): void {
    this.findings.push(finding)
    this.#onFinding(finding)
  }
}

export type Change = (call: Call, pool: Pool) => Call
const same: Change = (call) => call

function wrongOf(
  targets: readonly Target[],
  { step: { name }, calls }: Sent,
  outcomes: readonly Outcome[],
  isCompared: boolean,
): Wrong[] {
  const [first] = outcomes
  const found = new Map<string, Wrong>()
  targets.forEach(({ engine }, index) => {
    const outcome = outcomes[index]
    const call = calls[index]
    if (outcome === undefined || call === undefined || first === undefined) return
    const other = `but ${first.status} on ${targets[0]?.engine}`
    const differs = isCompared && outcome.status !== first.status
    const what =
      judge(name, outcome) ??
      judgeForm(formOf(call), outcome) ??
      (differs ? `status ${outcome.status}, ${other}: ${outcome.text.slice(0, 300)}` : undefined)
    if (what === undefined) return
    const { engines = [] } = found.get(kindOf(what)) ?? {}
    found.set(kindOf(what), { engines: [...engines, engine], what })
  })
  return [...found.values()]
}

/** The same cause, whatever ids and serials are in its text. */
function kindOf(what: string): string {
  return what.replaceAll(/[0-9a-f]{6,}/g, '').slice(0, 60)
}

function* simplerSent(sent: Sent): Generator<Sent> {
  const variants = sent.calls.map((call) => [...simplerCalls(call)])
  for (let index = 0; index < (variants[0]?.length ?? 0); index += 1) {
    const calls = variants.flatMap((list) => list[index] ?? [])
    if (calls.length === sent.calls.length) yield { ...sent, calls }
  }
}

function withIds(call: Call, renamed: ReadonlyMap<string, string> | undefined): Call {
  let text = JSON.stringify(call)
  for (const [old, value] of renamed ?? []) text = text.replaceAll(old, value)
  return JSON.parse(text)
}

function bodyOf({ headers, text }: Outcome): unknown {
  const isJson = String(headers['content-type']).startsWith('application/json')
  return isJson ? JSON.parse(text) : text
}
