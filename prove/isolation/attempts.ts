/** The calls of those who must not: the owner's own call, sent with what is not enough for it. */
import { ACCESS_LEVELS, type AccessLevel } from '../../packages/server/src/kernel/contract.ts'
import { type Call, operations } from '../../tools/fuzz/call.ts'
import type { Pool } from '../../tools/fuzz/step.ts'
import {
  type Credentials,
  ENDED,
  KEYS,
  MIXING,
  NOBODY,
  OTHERS,
  tokensOf,
  tooLow,
  WITHOUT_EXTERNAL,
} from './credentials.ts'
import { type MixedCall, mixedCalls } from './mixed.ts'

export interface Attempt {
  readonly who: string
  readonly call: Call
  /**
   * `refused`: by 401, 403 or 404. `forbidden`: by 403. `own`: refused, or answered with nothing of the owner's: the
   * caller has things of its own. `unknown`: refused as `unknown` is, of which nothing exists.
   */
  readonly expects: 'refused' | 'forbidden' | 'own' | 'unknown'
  readonly unknown?: Call
  /** The owner may read what is its own. */
  readonly isOwner?: true
}

/** Of one call of the owner; `others` is what the other account has. */
export function attemptsOf(call: Call, pool: Pool, others: Pool): Attempt[] {
  const operation = operations.get(call.name)?.operation
  if (operation === undefined) throw new Error(`There is no operation ${call.name}.`)
  const { access, external, openWith } = operation
  if (isLevel(access)) {
    const isOpen = openWith !== undefined
    return [
      ...OTHERS.map((one) => attempt(call, one, 'own')),
      ...mixedCalls(call, pool, others).map(mixedAttempt),
      ...tooLow(access).map((one) => ({
        ...attempt(call, one, 'forbidden'),
        isOwner: true as const,
      })),
      ...(external === undefined
        ? []
        : [{ ...attempt(call, WITHOUT_EXTERNAL, 'forbidden'), isOwner: true as const }]),
      ...[...ENDED, ...bearers(pool)].map((one) => attempt(call, one, 'refused')),
      attempt(call, NOBODY, isOpen ? 'own' : 'refused'),
    ]
  }
  if (access === 'public') return [NOBODY, ...OTHERS].map((one) => attempt(call, one, 'own'))
  if (access === 'token') return tokenAttempts(call, pool)
  const tokens = bearers(pool).filter(({ who }) => who !== 'the token operator')
  return [NOBODY, ...KEYS, ...tokens].map((one) => attempt(call, one, 'refused'))
}

function mixedAttempt({ call, unknown }: MixedCall): Attempt {
  const same = attempt(unknown, MIXING, 'unknown').call
  return { ...attempt(call, MIXING, 'unknown'), unknown: same }
}

function isLevel(access: string): access is AccessLevel {
  return ACCESS_LEVELS.some((level) => level === access)
}

/** Where the operation has its token, others stand: of every other kind, and none. */
function tokenAttempts(call: Call, pool: Pool): Attempt[] {
  const { token } = call.params
  const given = call.headers.authorization
  const others = [...tokensOf(pool)].filter(
    ([, value]) => value !== token && `Bearer ${value}` !== given,
  )
  if (token !== undefined) {
    return [...others, ['wrong', 'x'] as const].map(([kind, value]) => ({
      who: `the token ${kind}`,
      call: { ...call, params: { ...call.params, token: value } },
      expects: 'refused',
    }))
  }
  if (call.headers['webhook-signature'] !== undefined) {
    const headers = { ...call.headers, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
    const unsigned = { ...call.headers, 'webhook-signature': '' }
    return [headers, unsigned].map((changed) => ({
      ...{ who: 'a wrong signature', call: { ...call, headers: changed }, expects: 'refused' },
    }))
  }
  const bearing = others.map(([kind, value]) => ({
    who: `the token ${kind}`,
    authorization: `Bearer ${value}`,
  }))
  return [NOBODY, ...KEYS, ...bearing].map((one) => attempt(call, one, 'refused'))
}

function bearers(pool: Pool): Credentials[] {
  return [...tokensOf(pool)].map(([kind, value]) => ({
    who: `the token ${kind}`,
    authorization: `Bearer ${value}`,
  }))
}

function attempt(
  call: Call,
  { who, authorization }: Credentials,
  expects: Attempt['expects'],
): Attempt {
  const { authorization: _own, ...headers } = call.headers
  const given = authorization === undefined ? {} : { authorization }
  return { who, call: { ...call, headers: { ...headers, ...given } }, expects }
}
