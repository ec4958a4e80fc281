/** What a test may ask of the clock. Time never goes backwards. */
import type { ClockChange, ClockMode, ClockState } from '../../kernel/controlled-clock.ts'
import { parseDatetime } from '../../kernel/datetime.ts'
import { BadRequest, Conflict } from '../../kernel/errors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/units.ts'

/** As `--clock scale:` has it. */
export const SCALE_MAX = 1_000_000

const SPAN = /^(\d{1,9}(?:\.\d{1,3})?)([smhdw])$/
const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
}

export interface ClockRequest {
  readonly mode?: ClockMode['mode'] | undefined
  readonly now?: string | undefined
  readonly scale?: number | undefined
}

export function changeOf(state: ClockState, request: ClockRequest, machine: Date): ClockChange {
  const mode = request.mode ?? state.mode
  if (request.scale !== undefined && mode !== 'scaled') {
    throw new BadRequest(
      'scale belongs to the mode scaled.',
      'scale は scaled のときだけ使えます。',
    )
  }
  if (mode === 'real') {
    if (request.now !== undefined) {
      throw new BadRequest(
        'now cannot be given for a real clock.',
        'real の時計に now は指定できません。',
      )
    }
    if (state.mode !== 'real' && state.now > machine) {
      throw new Conflict(
        'The clock is ahead of the machine and time does not go back; use scaled with scale 1.',
        '時計がマシンより進んでいます。scaled と scale 1 を使ってください。',
      )
    }
    return { to: { mode }, start: state.mode === 'real' ? undefined : machine }
  }
  const start = request.now === undefined ? undefined : timeAhead('now', request.now, state.now)
  if (mode === 'frozen') return { to: { mode }, start }
  const scale = request.scale ?? (state.mode === 'scaled' ? state.scale : undefined)
  if (scale === undefined) {
    throw new BadRequest('scale is missing.', 'scale がありません。')
  }
  return { to: { mode, scale }, start }
}

export function advanceTarget(
  state: ClockState,
  { by, to }: { readonly by?: string | undefined; readonly to?: string | undefined },
): Date {
  if (state.mode === 'real') {
    throw new Conflict(
      'A real clock cannot be moved; set its mode to frozen first.',
      'real の時計は進められません。先に frozen にしてください。',
    )
  }
  if ((by === undefined) === (to === undefined)) {
    throw new BadRequest(
      'Exactly one of by and to is needed.',
      'by と to のどちらか一方が必要です。',
    )
  }
  return to === undefined ? later(state.now, by ?? '') : timeAhead('to', to, state.now)
}

function later(now: Date, by: string): Date {
  const [, amount = '', unit = ''] = SPAN.exec(by) ?? []
  const target = new Date(now.getTime() + Math.round(Number(amount) * (UNIT_MS[unit] ?? 0)))
  if (unit === '' || !(target.getUTCFullYear() < 9999)) {
    throw new BadRequest(
      'by must be a number with s, m, h, d or w, such as 31d, and end before the year 9999.',
      'by は 31d のような数と単位 (s, m, h, d, w) で、9999年より前に終わる必要があります。',
    )
  }
  return target
}

function timeAhead(field: string, text: string, now: Date): Date {
  const time = parseDatetime(text)
  if (time === undefined) {
    throw new BadRequest(
      `${field} must be a datetime such as 2026-04-01T00:00:00+09:00.`,
      `${field} は 2026-04-01T00:00:00+09:00 のような日時で指定してください。`,
    )
  }
  if (time < now) {
    throw new BadRequest(`${field} has passed already.`, `${field} はすでに過ぎています。`)
  }
  return time
}
