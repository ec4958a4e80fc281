/** What belongs to one account: values of its answers that nobody else has. Found in another's answer, it has leaked. */

/** A date is nobody's. */
const DATE = /^\d{4}-\d{2}-\d{2}[T ]|^\d{8}(\d{6})?$/
const LENGTH_MIN = 8
/** Every gateway and project has them: the network of all gateways, an id for "none", a class. */
const SHARED = [
  '198.18.0.0',
  '198.18.0.1',
  '999999999999',
  '202 Accepted',
  'cloud/iotplatform/vmgw/1',
]

export class OwnValues {
  readonly #values = new Set<string>()
  readonly #common = new Set<string>(SHARED)

  get size(): number {
    return this.#values.size
  }

  /** What everybody sees: zones, plans, prices. */
  addCommon(answer: unknown): void {
    for (const value of valuesOf(answer)) {
      this.#common.add(value)
      this.#values.delete(value)
    }
  }

  addOwn(answer: unknown): void {
    for (const value of valuesOf(answer)) {
      if (isTelling(value) && !this.#common.has(value)) this.#values.add(value)
    }
  }

  has(value: string): boolean {
    return this.#values.has(value)
  }

  /** Those in the text of an answer, but for those that the caller has sent itself. */
  in(text: string, sent: string): string[] {
    return [...this.#values].filter((value) => text.includes(value) && !sent.includes(value))
  }
}

/** Ids, tokens, secrets, addresses: long enough, and not a word. */
function isTelling(value: string): boolean {
  return value.length >= LENGTH_MIN && /\d/.test(value) && !DATE.test(value)
}

function valuesOf(answer: unknown): string[] {
  if (typeof answer === 'string' || typeof answer === 'number') return [String(answer)]
  if (typeof answer !== 'object' || answer === null) return []
  // The name of a member may be an id, too.
  const isList = Array.isArray(answer)
  return Object.entries(answer).flatMap(([name, one]) => [
    ...(isList ? [] : [name]),
    ...valuesOf(one),
  ])
}
