/** One outcome that a request asks for itself, where a setting allows it (docs/adr/0015-faults.md). */
import { BadRequest } from '../../kernel/errors.ts'
import { compileSchema, formatPath, type Problem } from '../../kernel/schema.ts'
import { Type } from '../../kernel/type.ts'
import { Effect, Phase } from './fault-contract.ts'
import type { FaultEffect, FaultPhase } from './fault-rules.ts'
import { effectFromWire, phaseFromWire } from './fault-wire.ts'

export const FAULT_HEADER = 'x-kumoi-fault'

const check = compileSchema(
  Type.Object({ phase: Type.Optional(Phase), effect: Effect }, { additionalProperties: false }),
)

/** `{"effect": {"status": 503}, "phase": "after"}`. */
export function parseFaultHeader(text: string): { phase: FaultPhase; effect: FaultEffect } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw broken({
      path: [],
      text: { en: 'is not valid JSON.', ja: 'が正しいJSONではありません。' },
    })
  }
  const problem = check(value)
  if (problem !== undefined) throw broken(problem)
  // The schema has just been checked.
  const order = value as { phase?: FaultPhase; effect: Parameters<typeof effectFromWire>[0] }
  const effect = effectFromWire(order.effect)
  return { effect, phase: phaseFromWire(order.phase, effect) }
}

function broken({ path, text }: Problem): BadRequest {
  const at = [FAULT_HEADER, formatPath(path)].filter((part) => part !== '').join(': ')
  return new BadRequest(`${at} ${text.en}`, `${at} ${text.ja}`)
}
