/** What was asked and what was answered: which values each thing of the load may have. */
import type { Outcome } from '../../tools/fuzz/target.ts'
import type { Call } from './server.ts'

/** `undefined` where it is absent. */
export type Value = string | undefined

export interface Thing {
  readonly kind: Kind
  /** No other thing of a run has it. */
  readonly mark: string
  /** Of the run, from 0. */
  readonly number: number
  id: string | undefined
  /** One value, or two as long as the outcome of the last change is unknown. */
  possible: readonly Value[]
}

export interface Found {
  readonly id: string
  readonly value: string
}

export interface Kind {
  readonly name: string
  create(call: Call, thing: Thing, value: string): Promise<Outcome>
  update(call: Call, thing: Thing, value: string): Promise<Outcome>
  /** Not all things can be deleted. */
  delete?(call: Call, thing: Thing): Promise<Outcome>
  /** In the answer to its creation. */
  idOf(answer: unknown): string
  /** Reads it in full. Throws when a part of it is missing. */
  find(call: Call, thing: Thing): Promise<Found | undefined>
}

export class Ledger {
  readonly violations: string[] = []
  readonly #things: Thing[] = []
  #touched = new Set<Thing>()
  /** A refusal that the fault of the moment explains. */
  expected: RegExp | undefined
  answered = 0
  refused = 0
  unknown = 0
  compared = 0

  report(violation: string): void {
    // Past this number they say nothing new.
    if (this.violations.length < 50) this.violations.push(violation)
  }

  newThing(kind: Kind): Thing {
    const number = this.#things.length
    // No mark is a part of another: searches find parts of names.
    const mark = `${kind.name}${String(number).padStart(6, '0')}`
    const thing: Thing = { kind, mark, number, id: undefined, possible: [undefined] }
    this.#things.push(thing)
    return thing
  }

  /** Answers with the outcome, by which the caller decides whether to go on. */
  async change(thing: Thing, next: Value, act: () => Promise<Outcome>): Promise<Outcome> {
    const [before] = thing.possible
    this.#touched.add(thing)
    thing.possible = [before, next]
    const outcome = await act()
    const known = this.count(`${thing.mark} to ${next}`, outcome)
    if (known === 'done') thing.possible = [next]
    if (known === 'refused') thing.possible = [before]
    if (known === 'done' && thing.id === undefined) thing.id = thing.kind.idOf(parsed(outcome))
    return outcome
  }

  /** 503 says that nothing was done; 500, or no whole answer, that it is not known. */
  count(what: string, { status, problem, text }: Outcome): 'done' | 'refused' | 'unknown' {
    if (problem !== undefined || status === 500) {
      this.unknown += 1
      return 'unknown'
    }
    if (status < 300) {
      this.answered += 1
      return 'done'
    }
    this.refused += 1
    if (status !== 503 && !this.expected?.test(text))
      this.report(`${what} was answered with ${status}: ${text}`)
    return 'refused'
  }

  /** Compares those that were changed since the last time, or all, with what the server has. */
  async compare(call: Call, which: 'touched' | 'all'): Promise<void> {
    const things = which === 'all' ? this.#things : [...this.#touched]
    this.#touched = new Set()
    // Some at once: one by one would mostly wait.
    for (let at = 0; at < things.length; at += 8) {
      await Promise.all(things.slice(at, at + 8).map((thing) => this.#compareOne(call, thing)))
    }
  }

  async #compareOne(call: Call, thing: Thing): Promise<void> {
    const { mark, kind, possible } = thing
    this.compared += 1
    try {
      const found = await kind.find(call, thing)
      if (!possible.includes(found?.value)) {
        const allowed = possible.map(nameOf).join(' or ')
        this.report(`${mark} is ${nameOf(found?.value)} and should be ${allowed}`)
      }
      thing.possible = [found?.value]
      thing.id = found?.id
    } catch (error) {
      this.report(`${mark}: ${error instanceof Error ? error.message : error}`)
    }
  }
}

function nameOf(value: Value): string {
  return value ?? 'absent'
}

// biome-ignore lint/suspicious/noExplicitAny: the load looks into answers of every shape.
export function parsed({ text }: Outcome): any {
  return JSON.parse(text)
}

/** Of a read that must succeed; undefined for 404. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function readOf(outcome: Outcome): any {
  const { status, problem, text } = outcome
  if (status === 404) return undefined
  if (status !== 200 || problem !== undefined) {
    throw new Error(`a read was answered with ${status}: ${problem ?? text}`)
  }
  return parsed(outcome)
}
