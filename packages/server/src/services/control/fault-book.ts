/** The faults that are armed, in the memory of this process. */
import { NotFound } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import { type Call, type FaultEffect, type FaultPlan, isMeant, strikes } from './fault-rules.ts'

export interface Fault {
  readonly id: string
  readonly plan: FaultPlan
  readonly hits: number
}

interface Armed {
  readonly id: string
  readonly plan: FaultPlan
  calls: number
  hits: number
}

export class FaultBook {
  readonly #random: Random
  readonly #armed = new Map<string, Armed>()
  #count = 0

  /** Probabilities are drawn from `random`, so that a seed repeats them. */
  constructor(random: Random) {
    this.#random = random
  }

  add(plan: FaultPlan): Fault {
    this.#count += 1
    const fault = { id: String(this.#count), plan, calls: 0, hits: 0 }
    this.#armed.set(fault.id, fault)
    return fault
  }

  get isArmed(): boolean {
    return this.#armed.size > 0
  }

  list(): Fault[] {
    return [...this.#armed.values()]
  }

  get(id: string): Fault {
    const fault = this.#armed.get(id)
    if (fault === undefined) {
      throw new NotFound(`There is no fault ${id}.`, `障害設定 ${id} はありません。`)
    }
    return fault
  }

  delete(id: string): void {
    this.get(id)
    this.#armed.delete(id)
  }

  clear(): void {
    this.#armed.clear()
  }

  /** The faults to apply to this call, in the order in which they were armed. */
  strike(call: Call): FaultEffect[] {
    const effects: FaultEffect[] = []
    for (const fault of this.#armed.values()) {
      if (!isMeant(fault.plan, call)) continue
      fault.calls += 1
      if (!strikes(fault.plan, fault.calls, fault.hits, () => this.#draw())) continue
      fault.hits += 1
      effects.push(fault.plan.effect)
    }
    return effects
  }

  #draw(): number {
    return this.#random.bytes(4).readUInt32BE() / 2 ** 32
  }
}
