/** SIM cards in the operator's hands, and how often a wrong pass code may be tried. */
import { isSameSecret } from '../../kernel/constant-time.ts'
import { TooManyRequests } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'

/** E.164 without its `+`. */
export const MSISDN_PATTERN = '^[1-9][0-9]{5,14}$'

/** After so many wrong ones within the window, none is looked at (docs/sims.md). */
export const WRONG_PASS_CODES_MAX = 10
export const WRONG_PASS_CODES_MINUTES = 10
const WINDOW_MS = WRONG_PASS_CODES_MINUTES * 60_000

export interface Card {
  readonly iccid: string
  readonly passCode: string
  readonly imsis: readonly string[]
  /** Its telephone number, as elements of a network send it; digits alone. */
  readonly msisdn?: string | undefined
}

/** Cards with consecutive ICCIDs; `{n}` in the pass code is a card's number in the range, from 0. */
export interface CardRange {
  readonly iccidFrom: string
  readonly iccidTo: string
  readonly passCode: string
}

export function rangeEnd(iccidFrom: string, count: number): string {
  return String(BigInt(iccidFrom) + BigInt(count - 1)).padStart(iccidFrom.length, '0')
}

export function rangeCount({ iccidFrom, iccidTo }: Omit<CardRange, 'passCode'>): number {
  return Number(BigInt(iccidTo) - BigInt(iccidFrom)) + 1
}

export function cardOfRange(range: CardRange, iccid: string): Card {
  const { passCode, iccidFrom } = range
  const number = () => String(BigInt(iccid) - BigInt(iccidFrom))
  return { iccid, passCode: passCode.replaceAll('{n}', number), imsis: [imsiOf(iccid)] }
}

/** Fifteen digits: a country and network of tests, and the end of the ICCID. */
export function imsiOf(iccid: string): string {
  return `44010${iccid.slice(-10)}`
}

export function isPassCode({ passCode }: Card, given: string): boolean {
  return isSameSecret(given, passCode)
}

export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_MS)
}

/** Which of the wrong ones has to leave the window before another may be tried. */
export function freeingTry(accountId: AccountId, now: Date) {
  return { accountId, since: windowStart(now), lastBut: WRONG_PASS_CODES_MAX - 1 }
}

export function checkFailures(freeing: Date | undefined, now: Date): void {
  if (freeing === undefined) return
  const seconds = Math.ceil((freeing.getTime() + WINDOW_MS - now.getTime()) / 1000)
  throw new TooManyRequests(
    Math.max(1, seconds),
    `Too many wrong pass codes for this SIM card; try again in ${seconds} seconds.`,
    `この SIM カードのパスコードの誤りが多すぎます。${seconds} 秒後に再試行してください。`,
  )
}
