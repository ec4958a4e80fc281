/**
 * The models that may be true. One, as long as every answer is seen. Two commands at once leave those of both orders,
 * a call whose answer was lost leaves the one where it was done and the one where it was not; each later answer drops
 * those that expect another. When none is left, the server has done what no model allows.
 */
import type { Command } from './command.ts'
import { type Answer, difference } from './compare.ts'
import { type Model, nameAccounts } from './state.ts'

/** Reading everything leaves one again. */
export const MANY = 16

/** What was sent and what came back; without an answer nobody knows whether it was done. */
export type Outcome = readonly [command: Command, answer: Answer | undefined]

export class Possible {
  #models: readonly Model[]
  /** Why models were dropped. */
  #reasons: string[] = []

  constructor(model: Model) {
    this.#models = [model]
  }

  get size(): number {
    return this.#models.length
  }

  after(outcome: Outcome): void {
    this.#replace(this.#models.flatMap((model) => this.#follow(model, [outcome])))
    keep(outcome)
  }

  /** Both were sent at once: one was done after the other, in either order. */
  afterBoth(one: Outcome, other: Outcome): void {
    const left = this.#models.flatMap((model) => [
      ...this.#follow(structuredClone(model), [one, other]),
      ...this.#follow(model, [other, one]),
    ])
    this.#replace(left)
    for (const outcome of [one, other]) keep(outcome)
  }

  /** It was certainly done, and its answer was lost. */
  afterLost(command: Command): void {
    for (const model of this.#models) command.play(model)
  }

  /** A start applies the world again, which names its accounts. */
  afterRestart(): void {
    for (const model of this.#models) nameAccounts(model)
  }

  #follow(model: Model, outcomes: readonly Outcome[]): Model[] {
    const [first, ...rest] = outcomes
    if (first === undefined) return [model]
    const [command, answer] = first
    if (answer !== undefined)
      return this.#agrees(model, command, answer) ? this.#follow(model, rest) : []
    const done = structuredClone(model)
    command.play(done)
    return [...this.#follow(done, rest), ...this.#follow(model, rest)]
  }

  #agrees(model: Model, command: Command, answer: Answer): boolean {
    const expected = command.play(model)
    const found = difference(expected, answer)
    if (found !== undefined) {
      this.#reasons.push(`${command.name}: ${found}`)
      return false
    }
    if (answer.status < 300) expected.learn?.(answer.body)
    return true
  }

  #replace(models: readonly Model[]): void {
    const reasons = this.#reasons
    this.#reasons = []
    if (models.length === 0) throw new Violation([...new Set(reasons)].join('; or '))
    if (models.length === 1) this.#models = models
    else this.#models = [...new Map(models.map((model) => [keyOf(model), model])).values()]
  }
}

export class Violation extends Error {}

function keep([command, answer]: Outcome): void {
  if (answer !== undefined && answer.status < 300) command.keep?.(answer.body)
}

/** Equal for models that say the same. */
function keyOf(model: Model): string {
  return JSON.stringify(model, (_name, value) =>
    value instanceof Map ? [...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) : value,
  )
}
