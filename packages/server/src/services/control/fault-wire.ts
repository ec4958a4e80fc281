import { parseDatetime, utcMicros } from '../../kernel/datetime.ts'
import { BadRequest } from '../../kernel/errors.ts'
import type { Static } from '../../kernel/type.ts'
import type { faultContract } from './fault-contract.ts'
import type { FaultEffect, FaultPhase, FaultPlan } from './fault-rules.ts'

type WireFault = Static<typeof faultContract.faultAdd.reply>['fault']
type WirePlan = Static<typeof faultContract.faultAdd.body>

const RETRY_AFTER_SECONDS = 1

export function planFromWire(body: WirePlan): FaultPlan {
  const effect = effectFromWire(body.effect)
  return {
    operation: body.operation,
    account: body.account,
    nth: body.nth,
    times: body.times,
    probability: body.probability,
    from: timeFromWire('from', body.from),
    until: timeFromWire('until', body.until),
    phase: phaseFromWire(body.phase, effect),
    effect,
  }
}

export function phaseFromWire(wanted: FaultPhase | undefined, effect: FaultEffect): FaultPhase {
  const cuts = 'truncateBytes' in effect
  const phase = wanted ?? (cuts ? 'after' : 'before')
  if (cuts && phase === 'before') {
    throw new BadRequest(
      'phase must be after: there is no answer yet that could be cut.',
      'truncate_bytes の phase は after だけです。',
    )
  }
  return phase
}

export function faultToWire(fault: { id: string; plan: FaultPlan; hits: number }): WireFault {
  const { operation, account, nth, times, probability, from, until, phase, effect } = fault.plan
  return {
    id: fault.id,
    operation,
    ...(account !== undefined && { account }),
    ...(nth !== undefined && { nth }),
    ...(times !== undefined && { times }),
    ...(probability !== undefined && { probability }),
    ...(from !== undefined && { from: utcMicros(from) }),
    ...(until !== undefined && { until: utcMicros(until) }),
    phase,
    effect: effectToWire(effect),
    hits: fault.hits,
  }
}

export function effectFromWire(effect: WirePlan['effect']): FaultEffect {
  if ('status' in effect) {
    const { status, retry_after_seconds: retryAfterSeconds = RETRY_AFTER_SECONDS } = effect
    return { status, retryAfterSeconds }
  }
  if ('latency_ms' in effect) return { latencyMs: effect.latency_ms }
  if ('truncate_bytes' in effect) return { truncateBytes: effect.truncate_bytes }
  return effect
}

function effectToWire(effect: FaultEffect): WireFault['effect'] {
  if ('status' in effect) {
    const { status, retryAfterSeconds } = effect
    return status === 429 ? { status, retry_after_seconds: retryAfterSeconds } : { status }
  }
  if ('latencyMs' in effect) return { latency_ms: effect.latencyMs }
  if ('truncateBytes' in effect) return { truncate_bytes: effect.truncateBytes }
  return effect
}

function timeFromWire(field: string, text: string | undefined): Date | undefined {
  const time = text === undefined ? undefined : parseDatetime(text)
  if (text !== undefined && time === undefined) {
    throw new BadRequest(
      `${field} must be a datetime such as 2026-04-01T00:00:00+09:00.`,
      `${field} は 2026-04-01T00:00:00+09:00 のような日時で指定してください。`,
    )
  }
  return time
}
