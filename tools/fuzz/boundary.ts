/** Values that fit a schema, most of them at one of its limits, and values that break it in exactly one place. */
import fc from 'fast-check'
import type { Shape } from './generator.ts'
import type { Choices } from './random.ts'

/** Larger ones are sent now and then only: they make requests slow. */
const USUAL_MAX = 300
const PATTERN_SAMPLES = 40
const PATTERN_SEED = 7

export function fitting(shape: Shape, choices: Choices): unknown {
  return new Maker(choices, -1).make(shape)
}

/** Breaks one place of what would fit. Where the place has no limit the value fits all the same: ajv decides. */
export function outside(shape: Shape, seed: number, newChoices: (seed: number) => Choices) {
  const counted = new Maker(newChoices(seed), -1)
  counted.make(shape)
  // The same seed makes the same value, up to the place that is broken.
  return new Maker(newChoices(seed), newChoices(seed + 1).below(counted.places)).make(shape)
}

class Maker {
  places = 0
  readonly #choices: Choices
  readonly #brokenPlace: number

  constructor(choices: Choices, brokenPlace: number) {
    this.#choices = choices
    this.#brokenPlace = brokenPlace
  }

  make(shape: Shape): unknown {
    const isBroken = this.places === this.#brokenPlace
    this.places += 1
    if (shape.anyOf !== undefined && !isBroken) return this.make(this.#choices.pick(shape.anyOf))
    if (isBroken && this.#choices.oneIn(3)) return ofOtherType(shape)
    if (shape.const !== undefined) return isBroken ? 'another' : shape.const
    if (shape.enum !== undefined) return isBroken ? 'another' : this.#choices.pick(shape.enum)
    switch (shape.type) {
      case 'string':
        return this.#text(shape, isBroken)
      case 'integer':
      case 'number':
        return this.#number(shape, isBroken)
      case 'boolean':
        return isBroken ? 'true' : this.#choices.oneIn(2)
      case 'array':
        return this.#list(shape, isBroken)
      case 'object':
        return this.#object(shape, isBroken)
      default:
        return isBroken ? {} : null
    }
  }

  #text(shape: Shape, isBroken: boolean): string {
    const { pattern, minLength = 0, maxLength = 40 } = shape
    if (isBroken) return this.#brokenText(shape)
    const plain = 'x'.repeat(this.#size(minLength, maxLength))
    if (pattern === undefined || new RegExp(pattern, 'u').test(plain)) return plain
    const samples = samplesOf(pattern).filter(
      ({ length }) => length >= minLength && length <= maxLength,
    )
    return samples.length === 0 ? plain : this.#choices.pick(samples)
  }

  #brokenText({ pattern, minLength = 0, maxLength }: Shape): string {
    const ways = [
      ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
      ...(minLength === 0 ? [] : ['x'.repeat(minLength - 1)]),
      ...(pattern === undefined ? [] : [...samplesOf(pattern).map((text) => `${text}\u0001\n`)]),
    ]
    return ways.length === 0 ? '\ud800' : this.#choices.pick(ways)
  }

  #number(shape: Shape, isBroken: boolean): number {
    const { maximum = Number.MAX_SAFE_INTEGER, exclusiveMinimum } = shape
    const minimum = shape.minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
    if (isBroken) return this.#choices.pick([minimum - 1, maximum + 1, minimum + 0.5])
    const between = minimum + this.#choices.below(Math.min(maximum - minimum, 1000) + 1)
    return this.#choices.pick([minimum, maximum, between])
  }

  #list({ items = {}, minItems = 0, maxItems = 3 }: Shape, isBroken: boolean): unknown[] {
    const length = isBroken
      ? this.#choices.pick([maxItems + 1, Math.max(minItems - 1, 0)])
      : this.#size(minItems, maxItems)
    // What is in a long list need not differ; a place of one entry is broken in short ones.
    if (length > USUAL_MAX) return Array.from({ length }).fill(this.make(items))
    return Array.from({ length }, () => this.make(items))
  }

  #object(shape: Shape, isBroken: boolean): object {
    const { properties = {}, required = [], patternProperties = {} } = shape
    const missing = isBroken ? this.#choices.pick([...required, 'none']) : undefined
    const members = Object.entries(properties).flatMap(([name, member]) => {
      if (name === missing) return []
      if (!required.includes(name) && this.#choices.oneIn(2)) return []
      return [[name, this.make(member)] as const]
    })
    const [free] = Object.values(patternProperties)
    const more = free === undefined ? [] : [['a', this.make(free)] as const]
    const unknown = isBroken && shape.additionalProperties === false ? [['unknown', 1]] : []
    return Object.fromEntries([...members, ...more, ...unknown])
  }

  /** The limits themselves, or something between. */
  #size(least: number, most: number): number {
    const usual = Math.min(most, Math.max(least, USUAL_MAX))
    const between = least + this.#choices.below(Math.min(usual - least, 20) + 1)
    return this.#choices.pick([least, this.#choices.oneIn(20) ? most : usual, between, between])
  }
}

function ofOtherType({ type, anyOf }: Shape): unknown {
  const types = anyOf === undefined ? [type] : anyOf.map((one) => one.type)
  const other = [['string', 'x'] as const, ['boolean', true] as const, ['array', [[]]] as const]
  return other.find(([name]) => !types.includes(name))?.[1] ?? -0.5
}

const samples = new Map<string, readonly string[]>()

/** Texts that a pattern matches, the same each time. */
function samplesOf(pattern: string): readonly string[] {
  const known = samples.get(pattern)
  if (known !== undefined) return known
  const made = sampled(pattern)
  samples.set(pattern, made)
  return made
}

/** For patterns that fast-check makes no texts for: with a lookahead, or a class of a single character. */
const OWN_SAMPLES = ['x', 'owner@example.jp', 'a.b+c@example.jp']

function sampled(pattern: string): readonly string[] {
  const expression = new RegExp(pattern, 'u')
  if (/\(\?=|\\p\{/.test(pattern)) return OWN_SAMPLES.filter((text) => expression.test(text))
  return fc.sample(fc.stringMatching(expression), {
    seed: PATTERN_SEED,
    numRuns: PATTERN_SAMPLES,
  })
}
