/**
 * Slows down whoever guesses secrets. Wrong ones are counted by source, and by source and name of what was guessed;
 * beyond a limit the source is answered with 429 until the minute is over, right or wrong, so that it learns nothing.
 * Never by name alone: whoever knows a token could then lock its owner out. A secret that the server makes has 256
 * bits, so that guesses from many sources lead nowhere either. The counts are of this process and have a fixed size.
 */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Clock } from '../../kernel/clock.ts'
import { Forbidden, TooManyRequests, Unauthorized } from '../../kernel/errors.ts'

export const WRONG_BY_SOURCE_MAX = 100
export const WRONG_BY_NAME_MAX = 20
const WINDOW_MS = 60_000

/** Counts that are kept, of each kind; the oldest goes first. */
const COUNTS_MAX = 10_000

/** Why credentials were refused, as `/metrics` shows it. */
export const AUTH_FAILURES = ['wrong', 'throttled', 'expired', 'address'] as const
export type AuthFailure = (typeof AUTH_FAILURES)[number]

/** Where a request comes from. */
export interface From {
  readonly clientAddress: string
}

interface Count {
  wrong: number
  readonly until: number
}

export class Throttle {
  readonly #clock: Pick<Clock, 'now'>
  readonly #bySource = new Map<string, Count>()
  readonly #byName = new Map<string, Count>()
  /** Counts for the metrics. */
  readonly count: (reason: AuthFailure) => void

  /** The clock is the machine's: a world whose clock stands still must not keep anybody out. */
  constructor(clock: Pick<Clock, 'now'>, count: (reason: AuthFailure) => void) {
    this.#clock = clock
    this.count = count
  }

  /** Runs a check of credentials for `name`; one that refuses them counts. */
  async guard<T>(from: From, name: string, verify: () => Promise<T>): Promise<T> {
    this.check(from, name)
    try {
      const verified = await verify()
      // Of many guesses at once, those that end after the limit was reached are not answered either.
      this.check(from, name)
      return verified
    } catch (error) {
      if (!(error instanceof Unauthorized || error instanceof Forbidden)) throw error
      this.check(from, name)
      this.#countWrong(from, name)
      throw error
    }
  }

  /** Throws when there were too many wrong ones of this source. */
  check(from: From, name: string): void {
    // Nearly always: then a request costs nothing here.
    if (this.#bySource.size === 0) return
    const source = sourceOf(from.clientAddress)
    const bySource = this.#bySource.get(source)
    if (bySource === undefined) return
    const byName = this.#byName.get(keyOf(source, name))
    this.#refuseBeyond(bySource, WRONG_BY_SOURCE_MAX)
    if (byName !== undefined) this.#refuseBeyond(byName, WRONG_BY_NAME_MAX)
  }

  #refuseBeyond({ wrong, until }: Count, limit: number): void {
    const restMs = until - this.#clock.now().getTime()
    if (wrong < limit || restMs <= 0) return
    this.count('throttled')
    const seconds = Math.ceil(restMs / 1000)
    throw new TooManyRequests(
      seconds,
      `Too many wrong credentials came from this address; the next try is possible in ${seconds} s.`,
      `このアドレスからの認証失敗が多すぎます。${seconds} 秒後に再試行してください。`,
    )
  }

  #countWrong(from: From, name: string): void {
    const source = sourceOf(from.clientAddress)
    const now = this.#clock.now().getTime()
    increase(this.#bySource, source, now)
    increase(this.#byName, keyOf(source, name), now)
    this.count('wrong')
  }
}

function increase(counts: Map<string, Count>, key: string, now: number): void {
  const found = counts.get(key)
  if (found !== undefined && found.until > now) {
    found.wrong += 1
    return
  }
  // Put in again at the end, so that the first one is always the oldest.
  counts.delete(key)
  const [oldest] = counts.keys()
  if (counts.size >= COUNTS_MAX && oldest !== undefined) counts.delete(oldest)
  counts.set(key, { wrong: 1, until: now + WINDOW_MS })
}

/** Of one size, however long a token was sent. */
function keyOf(source: string, name: string): string {
  return createHash('sha256').update(`${source} ${name}`).digest('base64url')
}

/** An IPv6 host has a network of 2^64 addresses to itself, which counts as one source. */
function sourceOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
