/** The contracts as one flat list, and what the server refuses besides what each of them says. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import { statusOf } from '../../packages/server/src/http/failure.ts'
import type { Family, Operation } from '../../packages/server/src/kernel/contract.ts'
import type { RefusalCode } from '../../packages/server/src/kernel/errors.ts'

export interface NamedOperation {
  readonly name: string
  readonly slice: string
  readonly family: Family
  readonly operation: Operation
}

export interface RefusalRow {
  readonly code: RefusalCode
  readonly status: number
  readonly condition: string
}

export function operationsOf(slices: readonly Slice[]): NamedOperation[] {
  const operations = slices.flatMap(({ name: slice, family, contract }) =>
    Object.entries(contract).map(([name, operation]) => ({ name, slice, family, operation })),
  )
  const names = operations.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`Two operations are called ${twice}.`)
  return operations
}

/** What a token is handed out for is called at the address that comes with it, not by a name. */
const BY_ADDRESS: ReadonlySet<string> = new Set(['token'])

/** What is called by its name: with a key, as the operator, or by anybody. */
export function callable(slices: readonly Slice[]): Slice[] {
  return slices
    .map((slice) => ({
      ...slice,
      contract: Object.fromEntries(
        Object.entries(slice.contract).filter(([, { access }]) => !BY_ADDRESS.has(access)),
      ),
    }))
    .filter(({ contract }) => Object.keys(contract).length > 0)
}

export function familiesOf(slices: readonly Slice[]): Family[] {
  return [...new Set(slices.map(({ family }) => family))]
}

/** The refusals that a contract declares, by status. */
export function declaredRefusals({ refuses }: Operation): RefusalRow[] {
  return rows(Object.entries(refuses) as [RefusalCode, string][])
}

/** The refusals that come with the family and the access of an operation. */
export function impliedRefusals(family: Family, { access }: Operation): RefusalRow[] {
  const implied: [RefusalCode, string][] = []
  if (access !== 'public') implied.push(['unauthorized', UNAUTHORIZED[accessKind(access)]])
  if (access === 'token') return rows(implied)
  if (family.root) implied.push(['forbidden', 'the call comes from another site'])
  else if (access !== 'public')
    implied.push(['forbidden', 'the key may not do this, or not from this address'])
  if (family.base.includes('{zone}')) implied.push(['not_found', 'there is no such zone'])
  return rows(implied)
}

/** What any operation may answer; the cause lies in the request as such, or in the server. */
export const GENERAL_REFUSALS: readonly RefusalRow[] = rows([
  ['request_timeout', 'the request did not arrive in time'],
  ['request_too_large', 'the body is larger than 1 MiB, or the head larger than 16 KiB'],
  ['expectation_failed', 'the request has an `Expect` header that is not `100-continue`'],
  [
    'too_many_request',
    'too many wrong credentials came from this address, or the quota requests_per_second of the account is used up',
  ],
  ['internal_server_error', 'the server failed; its log has the cause under the serial'],
])

/** All codes; the compiler sees to it that none is missing. */
const CODES: Readonly<Record<RefusalCode, true>> = {
  bad_request: true,
  unauthorized: true,
  forbidden: true,
  not_found: true,
  method_not_allowed: true,
  request_timeout: true,
  conflict: true,
  still_creating: true,
  original_hash_mismatch: true,
  server_power_must_be_down: true,
  request_too_large: true,
  expectation_failed: true,
  too_many_request: true,
  internal_server_error: true,
  service_unavailable: true,
}
// Object.keys cannot know that the table has no other keys than those of its type.
export const ALL_CODES = Object.keys(CODES) as readonly RefusalCode[]

type AccessKind = 'key' | 'operator' | 'loopback' | 'token'

const UNAUTHORIZED: Readonly<Record<AccessKind, string>> = {
  key: 'the API key is missing, wrong or expired',
  operator: 'the operator token is missing or wrong',
  loopback: 'the caller is on another machine and the operator token is missing or wrong',
  token: 'the token is missing or wrong',
}

export function accessKind(access: Exclude<Operation['access'], 'public'>): AccessKind {
  return access === 'operator' || access === 'loopback' || access === 'token' ? access : 'key'
}

function rows(entries: readonly (readonly [RefusalCode, string])[]): RefusalRow[] {
  return entries
    .map(([code, condition]) => ({ code, status: statusOf(code), condition }))
    .sort((a, b) => a.status - b.status)
}
