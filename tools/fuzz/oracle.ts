/** What is wrong with an answer, whatever was asked. */
import { compileSchema, formatPath, type Problem } from '../../packages/server/src/kernel/schema.ts'
import { type Known, operations } from './call.ts'
import type { Outcome } from './target.ts'

/** They take a number of an entry, and PostgreSQL leaves out those of transactions that were repeated. */
const OWN_NUMBERS: ReadonlySet<string> = new Set(['auditList', 'ownAuditList'])
/** Once one was ordered it comes a moment later, on one server before the next request and on the other after it. */
const OF_CERTIFICATES: ReadonlySet<string> = new Set([
  ...['certificateCreate', 'certificateRead', 'certificateUpdate', 'certificateDelete'],
  ...['autoCertificateEnable', 'autoCertificateDisable'],
])
const checks = new Map<string, (value: unknown) => Problem | undefined>(
  [...operations].map(([name, { operation }]) => [name, compileSchema(operation.reply)]),
)

/** Undefined when nothing is. */
export function judge(name: string, outcome: Outcome): string | undefined {
  const known = operations.get(name)
  const { status, problem } = outcome
  if (known === undefined) throw new Error(`There is no operation ${name}.`)
  if (problem !== undefined) return problem
  if (status >= 500 && !isMeant(known, outcome)) {
    return `status ${status}: ${outcome.text.slice(0, 500)}`
  }
  if (status >= 400 || isForRadius(name, outcome)) return judgeFailure(name, outcome)
  return judgeSuccess(known, outcome)
}

/** Whether servers that were asked the same before have to answer alike. */
export function hasOneAnswer(
  name: string,
  before: readonly { readonly step: { readonly name: string } }[],
): boolean {
  if (OWN_NUMBERS.has(name)) return false
  return (
    !OF_CERTIFICATES.has(name) || !before.some(({ step }) => step.name === 'autoCertificateEnable')
  )
}

export function isSuccess({ status }: Pick<Outcome, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** The contract says so, as of an edge that has not confirmed a deletion yet; or a step has injected the fault. */
function isMeant({ operation }: Known, { status, text }: Outcome): boolean {
  if (text.includes('This failure was injected by a test.')) return true
  return status === 503 && operation.refuses.service_unavailable !== undefined
}

export function judgeFailure(name: string, outcome: Outcome): string | undefined {
  const { status, headers, text } = outcome
  if (isForRadius(name, outcome)) {
    return status === 401 ? undefined : `status ${status} with a refusal`
  }
  // A range that cannot be satisfied has no body (docs/iot.md).
  if (status === 416) return undefined
  const body = Object(parse(text))
  const isWhole =
    String(headers['content-type']).startsWith('application/json') &&
    body.is_fatal === true &&
    body.is_ok === false &&
    /^[0-9a-f]{32}$/.test(body.serial) &&
    String(body.status).startsWith(`${status} `) &&
    typeof body.error_code === 'string' &&
    typeof body.error_msg === 'string'
  return isWhole ? undefined : `status ${status} without the failure body: ${text.slice(0, 500)}`
}

/** A refused device, in the form that FreeRADIUS reads. */
function isForRadius(name: string, { text }: Outcome): boolean {
  return name === 'radiusAuthorize' && text.startsWith('{"reply:Reply-Message":')
}

function judgeSuccess({ name, operation }: Known, { status, text }: Outcome): string | undefined {
  if (operation.media !== undefined) return undefined
  if (status !== (operation.status ?? 200)) return `status ${status} is not the contract's`
  const body = parse(text)
  if (body === undefined) return `the answer is no JSON: ${text.slice(0, 200)}`
  if (!operation.bare && Object(body).is_ok !== true) return 'the answer has no is_ok'
  const wrong = checks.get(name)?.(body)
  return wrong && `the answer's ${formatPath(wrong.path)} ${wrong.text.en}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
