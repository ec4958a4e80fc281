/**
 * Walks through the scenario as the owner. At each step others try the same call first, or right after it where it
 * takes what only one can have; each answer is searched for what is the owner's, and the owner reads before and after.
 */
import { type Call, operations, toCurl, toWire } from '../../tools/fuzz/call.ts'
import { isSuccess, judge } from '../../tools/fuzz/oracle.ts'
import { callOf, learn, Pool, type Step, step } from '../../tools/fuzz/step.ts'
import type { Outcome, Target } from '../../tools/fuzz/target.ts'
import { type Attempt, attemptsOf } from './attempts.ts'
import { OTHERS, OWNER_CODE, REVOKED, ROTATED } from './credentials.ts'
import { openOthers } from './mixed.ts'
import { OwnValues } from './own-values.ts'

export interface WalkOptions {
  readonly steps: readonly Step[]
  /** The owner's readings that are compared: those without parameters, or all. */
  readonly compares: 'lists' | 'all'
  /** One attempt of so many is made, others at the next step: 1 makes all. */
  readonly oneOf: number
}

/** Each reading has something new: the trail has the attempts, a download a new token. */
const CHANGING: ReadonlySet<string> = new Set(['ownAuditList', 'fileDownload'])
/** The order of a certificate is under way, which changes the site by itself. */
const UNDER_WAY: ReadonlySet<string> = new Set(['autoCertificateDisable'])
const KEPT_MAX = 20

export class Walk {
  readonly violations: string[] = []
  readonly covered = new Set<string>()
  readonly ownValues = new OwnValues()
  attempts = 0
  refused = 0
  compared = 0
  readonly #target: Target
  readonly #options: WalkOptions
  readonly #pool = new Pool()
  /** What the other account has. */
  #others = new Pool()
  readonly #reads: readonly Step[]
  #addresses = 0
  #steps = 0

  constructor(target: Target, options: WalkOptions) {
    this.#target = target
    this.#options = options
    this.#reads = options.steps.filter(({ name }) => {
      const { method, access } = operations.get(name)?.operation ?? {}
      return method === 'GET' && access === 'view' && !CHANGING.has(name)
    })
  }

  async run(): Promise<void> {
    for (const step of this.#options.steps) {
      await this.#take(step)
      if (step.name === 'reset') await this.#begin()
    }
  }

  /** With the world as it was loaded: two keys end, and what another account sees now is everybody's. */
  async #begin(): Promise<void> {
    const params = (token: string) => ({ params: { code: OWNER_CODE, token } })
    for (const ended of [step('keyRevoke', params(REVOKED)), step('keyRotate', params(ROTATED))]) {
      const outcome = await this.#send(callOf(ended, this.#pool))
      if (!isSuccess(outcome)) throw new Error(`${ended.name}: ${outcome.text}`)
    }
    this.#others = await openOthers(this.#target)
    const [{ authorization = '' } = {}] = OTHERS
    for (const read of this.#reads) {
      const call = callOf(read, this.#pool)
      const outcome = await this.#send({ ...call, headers: { ...call.headers, authorization } })
      if (isSuccess(outcome)) this.ownValues.addCommon(bodyOf(outcome))
    }
    this.ownValues.addOwn(['900000000001', 'mem00001', 'acme-token'])
  }

  async #take(step: Step): Promise<void> {
    const call = callOf(step, this.#pool)
    const { oneOf } = this.#options
    this.#steps += 1
    const attempts = attemptsOf(call, this.#pool, this.#others).filter(
      (_, index) => (index + this.#steps) % oneOf === 0,
    )
    // Of two who create the same, the first gets it: that must be the owner.
    const isLater = ({ expects }: Attempt) =>
      expects === 'own' && Object.keys(call.params).length === 0
    await this.#tryAll(
      call,
      attempts.filter((attempt) => !isLater(attempt)),
    )
    const outcome = await this.#send(call)
    const what = isSuccess(outcome) ? judge(step.name, outcome) : `status ${outcome.status}`
    if (what !== undefined) this.#add(`the owner cannot: ${what}`, call)
    else {
      const body = bodyOf(outcome)
      learn(step, body, this.#pool)
      if (isOwners(step)) this.ownValues.addOwn(body)
      if (attempts.length > 0) this.covered.add(step.name)
    }
    await this.#tryAll(call, attempts.filter(isLater))
  }

  async #tryAll(call: Call, attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0) return
    const { method } = operations.get(call.name)?.operation ?? {}
    const isCompared = method !== 'GET' && !UNDER_WAY.has(call.name)
    const before = isCompared ? await this.#readAll() : undefined
    for (const attempt of attempts) await this.#try(attempt)
    if (before === undefined) return
    const after = await this.#readAll()
    for (const [path, text] of before) {
      this.compared += 1
      if (after.get(path) !== text) this.#add(`others change what the owner reads at ${path}`, call)
    }
  }

  async #try({ who, call, expects, isOwner, unknown }: Attempt): Promise<void> {
    this.attempts += 1
    const outcome = await this.#send(this.#fromElsewhere(call))
    const { status, text, problem } = outcome
    if (!isSuccess(outcome)) this.refused += 1
    const isRefused = [401, 403, 404].includes(status)
    const wrong =
      problem ??
      (expects === 'forbidden' && status !== 403 ? `status ${status}, not 403` : undefined) ??
      (expects === 'refused' && !isRefused ? `status ${status}, not a refusal` : undefined) ??
      (status >= 500 ? `status ${status}` : undefined)
    if (unknown !== undefined) await this.#compare(call, outcome, unknown)
    if (wrong !== undefined) this.#add(`${who}: ${wrong}: ${text.slice(0, 300)}`, call)
    if (isOwner) return
    const isReached = Object.values(call.params).some((value) => this.ownValues.has(value))
    if (isReached && isSuccess(outcome)) this.#add(`${who} reaches what is the owner's`, call)
    const sent = JSON.stringify(call)
    const leaks = this.ownValues.in(text, sent)
    if (leaks.length > 0) this.#add(`${who} gets the owner's ${leaks.slice(0, 5).join(', ')}`, call)
  }

  /** What is another's is answered as what nobody has. Bills are 403, and only one's own that is not there is 404. */
  async #compare(call: Call, { status, text }: Outcome, unknown: Call): Promise<void> {
    if (status === 403 && call.name.startsWith('bill')) return
    const other = await this.#send(this.#fromElsewhere(unknown))
    const isSame = status === other.status && status >= 400
    if (!isSame || reasonOf(text, call) !== reasonOf(other.text, unknown)) {
      const both = [text, other.text].map((one) => one.slice(0, 300)).join(', and of nothing: ')
      this.#add(`another account, with things of its own, is answered ${both}`, call)
    }
  }

  /** Each from an address of its own: after some wrong credentials all of an address is answered with 429. */
  #fromElsewhere(call: Call): Call {
    this.#addresses += 1
    const address = `10.0.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`
    return { ...call, headers: { ...call.headers, 'x-forwarded-for': address } }
  }

  /** By path, what the owner reads of all that is known so far. */
  async #readAll(): Promise<ReadonlyMap<string, string>> {
    const wires = new Map(
      this.#reads.flatMap((read) => {
        const call = callOf(read, this.#pool)
        const params = Object.values(call.params)
        if (params.some((value) => value.startsWith('no-'))) return []
        if (this.#options.compares === 'lists' && params.length > 0) return []
        const wire = toWire(call)
        return [[wire.path, wire] as const]
      }),
    )
    const entries = [...wires].map(async ([path, wire]) => {
      const { status, text } = await this.#target.send(wire)
      // A failure has a serial of its own.
      return [path, isSuccess({ status }) ? text : String(status)] as const
    })
    return new Map(await Promise.all(entries))
  }

  #send(call: Call): Promise<Outcome> {
    return this.#target.send(toWire(call))
  }

  #add(what: string, call: Call): void {
    if (this.violations.length >= KEPT_MAX) return
    const { engine, origin } = this.#target
    this.violations.push(`${call.name} on ${engine}: ${what}\n${toCurl(origin, toWire(call))}`)
  }
}

/** Answers to the account itself, and to its devices; an operator's are about all accounts. */
function isOwners({ name }: Step): boolean {
  const { access } = operations.get(name)?.operation ?? {}
  return access !== 'operator' && access !== 'loopback' && access !== 'public'
}

/** Why a call was refused, without the ids that it had. */
function reasonOf(text: string, { params, body }: Call): string {
  const { error_code = '', error_msg = '' } = JSON.parse(text)
  const ids = new Set([...Object.values(params), ...(body?.match(/\d{12}/g) ?? [])])
  return [...ids].reduce((reason, id) => reason.replaceAll(id, 'ID'), `${error_code} ${error_msg}`)
}

function bodyOf({ headers, text }: Outcome): unknown {
  const isJson = String(headers['content-type']).startsWith('application/json')
  return isJson ? JSON.parse(text) : text
}
