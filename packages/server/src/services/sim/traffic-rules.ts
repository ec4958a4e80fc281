/** Bytes over time: five-minute steps, and days of them packed into one text. */
import { STEP_MS } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { addTraffic, NO_TRAFFIC, type Traffic } from './session-rules.ts'

/** Rows of a network's month, chosen by the SIM: reports of different SIMs seldom meet in one. */
export const NETWORK_SHARDS = 16
/** Rows of an account's step. */
export const ACCOUNT_SHARDS = 8

/** A counter stops here, and so the sum of all shards stays what a number can hold: 562 TB. */
export const COUNTER_MAX = 2 ** 49 - 1

/** What was counted in the five minutes from `at`, in epoch milliseconds. */
export interface Step extends Traffic {
  readonly at: number
}

/** A step is counted there, so that the next one comes after. */
export function lastMoment({ at }: Step): Date {
  return new Date(at + STEP_MS - 1)
}

/** Days of records are days in UTC: they are never seen, and a step belongs to one either way. */
export function dayOf(step: number): number {
  return Math.floor(step / DAY_MS) * DAY_MS
}

/** Steps at the same time become one. */
export function mergeSteps(...lists: readonly (readonly Step[])[]): Step[] {
  const byTime = new Map<number, Traffic>()
  for (const step of lists.flat()) {
    byTime.set(step.at, addTraffic(byTime.get(step.at) ?? NO_TRAFFIC, step))
  }
  return [...byTime].sort(([a], [b]) => a - b).map(([at, traffic]) => ({ at, ...traffic }))
}

/**
 * A day as numbers of seven bits a byte, in base64: the distance to the step before, then both counters.
 * A step of some kilobytes takes five bytes.
 */
export function packDay(steps: readonly Step[]): string {
  const bytes: number[] = []
  let last = -1
  for (const { at, uplinkBytes, downlinkBytes } of steps) {
    const index = (at % DAY_MS) / STEP_MS
    for (const number of [index - last, uplinkBytes, downlinkBytes]) pushNumber(bytes, number)
    last = index
  }
  return Buffer.from(bytes).toString('base64')
}

export function unpackDay(day: number, text: string): Step[] {
  const numbers = readNumbers(Buffer.from(text, 'base64'))
  const steps: Step[] = []
  let index = -1
  for (let at = 0; at + 2 < numbers.length; at += 3) {
    const [gap = 0, uplinkBytes = 0, downlinkBytes = 0] = numbers.slice(at, at + 3)
    index += gap
    steps.push({ at: day + index * STEP_MS, uplinkBytes, downlinkBytes })
  }
  return steps
}

// Division instead of bit operators, which know 32 bits only.
function pushNumber(bytes: number[], number: number): void {
  let rest = number
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

function readNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  let weight = 1
  for (const byte of bytes) {
    number += (byte % 128) * weight
    weight *= 128
    if (byte < 128) {
      numbers.push(number)
      number = 0
      weight = 1
    }
  }
  return numbers
}
