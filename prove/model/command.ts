/** A command: a request, and what the model answers to it. */
import type { Choices } from '../../tools/fuzz/random.ts'
import { LEVELS, type Level, type Model } from './state.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Expected {
  readonly status: number
  /** The members of the answer that the model knows; a function decides by itself. */
  readonly shows?: unknown
  /** Tells the model what only the answer knows, such as an id. */
  learn?(body: Body): void
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; what is read of them was compared before.
export type Body = any

export interface Command {
  readonly name: string
  readonly request: Request
  /** Changes the model. */
  play(model: Model): Expected
  /** After a success: what later commands can name. */
  keep?(body: Body): void
}

/** What was created last in each place, under which later commands name it; it may be gone. */
export class Slots {
  readonly #ids = new Map<string, string>()

  set(slot: string, id: string): void {
    this.#ids.set(slot, id)
  }

  /** An id that nothing has, while the place is empty. */
  get(slot: string): string {
    return this.#ids.get(slot) ?? '900000000000'
  }
}

export interface Context {
  readonly choices: Choices
  readonly slots: Slots
  /** The number of the step, for names that come once. */
  readonly step: number
}

export interface Maker {
  readonly weight: number
  /** Among the commands that a sequence begins with. */
  readonly isFirst: boolean
  make(context: Context): Command
}

export const maker = (weight: number, make: Maker['make']): Maker => ({
  weight,
  isFirst: false,
  make,
})
export const firstMaker = (weight: number, make: Maker['make']): Maker => ({
  ...{ weight, isFirst: true, make },
})

export interface Caller {
  readonly token: string
  readonly secret: string
}

export const OPERATOR_TOKEN = 'test-operator-token'
export const caller = (token: string): Caller => ({ token, secret: `${token}-secret` })

/** Mostly one account; sometimes the other, keys of lower levels, and keys that come and go. */
export function someCaller({ choices, slots }: Context): Caller {
  const [kind, which] = [choices.below(40), choices.below(2)]
  if (kind < 36) return caller('acme-token')
  if (kind < 38) return caller('other-token')
  if (kind < 39) return caller(choices.pick(['acme-view', 'acme-power', 'acme-arrange', 'nobody']))
  const [token = '', secret = ''] = slots.get(`key:${which}`).split(' ')
  return { token, secret }
}

interface Call {
  readonly name: string
  readonly method: string
  /** What all paths of the group begin with. */
  readonly base?: string
  readonly path: string
  readonly body?: object
  readonly level: Level
  readonly external?: string
  readonly caller: Caller
  play(model: Model, account: string): Expected
  keep?(body: Body): void
}

/** A call of the interface: credentials and access level are compared before all else. */
export function call(given: Call): Command {
  const { caller, level, external, base = '/cloud/zone', play, ...rest } = given
  const authorization = `Basic ${btoa(`${caller.token}:${caller.secret}`)}`
  return {
    name: rest.name,
    request: requestOf(rest.method, `${base}${rest.path}`, authorization, rest.body),
    play(model) {
      const key = model.keys.get(caller.token)
      const isValid = key?.secret === caller.secret && (key.expiresAt ?? Infinity) > model.now
      if (key === undefined || !isValid) return { status: 401 }
      const isHighEnough = LEVELS.indexOf(key.level) >= LEVELS.indexOf(level)
      if (!isHighEnough || (external !== undefined && !key.external.includes(external))) {
        return { status: 403 }
      }
      return play(model, key.account)
    },
    ...(rest.keep && { keep: rest.keep }),
  }
}

interface OperatorCall extends Pick<Call, 'name' | 'method' | 'path' | 'body' | 'keep'> {
  play(model: Model): Expected
}

export function operatorCall({ method, path, body, ...rest }: OperatorCall): Command {
  const authorization = `Bearer ${OPERATOR_TOKEN}`
  return { ...rest, request: requestOf(method, `/_kumoi/v1${path}`, authorization, body) }
}

function requestOf(method: string, path: string, authorization: string, body?: object): Request {
  return {
    ...{ method, path, headers: { authorization } },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

/** The search object as clients send it. */
export const search = (query: object): string => `?${encodeURIComponent(JSON.stringify(query))}`

export const ITEMS = '/is1a/api/cloud/1.1/commonserviceitem'

/** The n-th card of the world. */
export const iccidOf = (card: number): string => `8981040000${String(card).padStart(9, '0')}`

export interface Change<T> {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly level?: Level
  /** The body has not the form that the interface wants, whatever it is for. */
  readonly isBad?: boolean
  /** The answer when there is no such thing. */
  readonly missing?: number
  readonly external?: string
  find(model: Model): T | undefined
  /** Undefined when it is done, and there is no more to show. */
  play(thing: T, model: Model): Expected | undefined
  keep?(body: Body): void
}

/** A call on something that the account has, or has not. */
export function change<T extends { readonly account: string }>(
  context: Context,
  { level = 'arrange', isBad = false, missing = 404, find, play, ...rest }: Change<T>,
): Command {
  return call({
    ...{ ...rest, level, caller: someCaller(context) },
    play(model, account) {
      if (isBad) return { status: 400 }
      const thing = find(model)
      if (thing?.account !== account) return { status: missing }
      return play(thing, model) ?? { status: 200, shows: { is_ok: true } }
    },
  })
}
