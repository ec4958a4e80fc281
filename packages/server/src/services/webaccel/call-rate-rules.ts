/**
 * The generic cell rate algorithm (GCRA, ITU-T I.371) with a burst as large as the limit. Of an account one
 * number is kept, the theoretical arrival time: until then the calls made so far use up the rate. Each call
 * moves it on by the hour divided by the limit, and may not move it further than an hour ahead. So an account
 * that was silent has all its calls at once, and after them one each time that part of the hour has passed.
 */

/** Finer than the clock, so that limits above one call a millisecond would not be rounded to it. */
const HOUR_US = 60 * 60 * 1_000_000

export interface Taken {
  readonly arrivalUs: number
  /** When the call is refused: the time from which one is possible. */
  readonly possibleAt: Date | undefined
}

export function takeCall(arrivalUs: number, limit: number, now: Date): Taken {
  const nowUs = now.getTime() * 1000
  const intervalUs = Math.ceil(HOUR_US / limit)
  const burstUs = intervalUs * limit
  // Calls alone never lead further ahead: the clock was set back, and the account would have to wait as long.
  const isSetBack = arrivalUs > nowUs + burstUs
  const nextUs = (isSetBack ? nowUs : Math.max(arrivalUs, nowUs)) + intervalUs
  const earlyUs = nextUs - burstUs - nowUs
  return earlyUs > 0
    ? { arrivalUs, possibleAt: new Date(now.getTime() + Math.ceil(earlyUs / 1000)) }
    : { arrivalUs: nextUs, possibleAt: undefined }
}
