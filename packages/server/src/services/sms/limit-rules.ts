/** How often may be sent when messages leave the machine (docs/sms.md). */
import { japanDayStart } from '../../kernel/datetime.ts'
import { TooManyRequests } from '../../kernel/errors.ts'
import { DAY_SECONDS, secondsAfter } from '../../kernel/units.ts'

export const DESTINATION_WINDOW_SECONDS = 600

/** What was sent after these times counts. */
export const destinationWindow = (now: Date): Date => secondsAfter(now, -DESTINATION_WINDOW_SECONDS)
export const dayWindow = (now: Date): Date => new Date(japanDayStart(now).getTime() - 1)

/** `oldest` is the one that fills the window: the next may go when it has left it. */
export function checkDestination(oldest: Date | undefined, limit: number, now: Date): void {
  if (oldest === undefined) return
  const seconds = secondsUntil(secondsAfter(oldest, DESTINATION_WINDOW_SECONDS), now)
  throw new TooManyRequests(
    seconds,
    `This destination was sent ${limit} messages within 10 minutes; the next may go in ${seconds} seconds.`,
    `この宛先には10分間に ${limit} 通送信済みです。${seconds} 秒後に再試行してください。`,
  )
}

/** A day is one of Japan's calendar. */
export function checkDay(isFull: boolean, limit: number, now: Date): void {
  if (!isFull) return
  throw new TooManyRequests(
    secondsUntil(secondsAfter(japanDayStart(now), DAY_SECONDS), now),
    `This account has sent its ${limit} messages of today.`,
    `このアカウントの本日の送信上限 ${limit} 通に達しました。`,
  )
}

function secondsUntil(time: Date, now: Date): number {
  return Math.max(1, Math.ceil((time.getTime() - now.getTime()) / 1000))
}
