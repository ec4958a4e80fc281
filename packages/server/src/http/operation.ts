/** One request of one operation: access check, input, handler, answer. Routes are made from contracts. */
import type { AnyHandlers, Contract, Family, Operation } from '../kernel/contract.ts'
import { NotFound } from '../kernel/errors.ts'
import { RawAnswer } from '../kernel/raw-answer.ts'
import { compileSchema, formatPath } from '../kernel/schema.ts'
import type { Zone } from '../kernel/zone.ts'
import { type Answer, JSON_MEDIA, toText } from './answer.ts'
import type { Access } from './auth/access.ts'
import type { Exchange } from './exchange.ts'
import { inputReader } from './input.ts'
import { isInspected } from './inspector.ts'

/** What the server does at one method of one path. */
export interface Route {
  readonly name: string
  readonly operation: Operation | undefined
  readonly isInspected: boolean
  /** Whether answers are indented for clients that request it. */
  readonly beautifies: boolean
  /** The challenges of a 401. */
  challenges(): readonly string[]
  /** Before the body is received; see auth/access.ts. */
  authenticate(exchange: Exchange): Promise<void> | undefined
  /** Reads the input, runs the handler in its transaction and renders what it returns. */
  handle(exchange: Exchange): Promise<Answer>
}

export interface Mount {
  readonly family: Family
  readonly contract: Contract
  readonly handlers: AnyHandlers
  readonly access: Access<unknown>
}

export interface RouteOptions {
  readonly beautifyHeader: string
  readonly zones: readonly Zone[]
  readonly checkAnswers: boolean
}

/** A route for each operation of the contract, by its name. */
export function routesOf(
  { family, contract, handlers, access }: Mount,
  options: RouteOptions,
): (Route & { readonly operation: Operation })[] {
  const { beautifyHeader, checkAnswers } = options
  return Object.entries(contract).map(([name, operation]) => {
    const read = inputReader(operation)
    const check = checkAnswers ? answerCheck(name, operation) : () => undefined
    // Each was checked against its own operation where it was written; here they are all alike.
    const handler = handlers[name] as (input: unknown, context: unknown) => Promise<unknown>
    return {
      name,
      operation,
      isInspected: isInspected(operation),
      beautifies: family.beautify,
      challenges: () => access.challenges(),
      authenticate(exchange) {
        checkZone(exchange, family.zones ?? options.zones, options.zones)
        return access.authenticate(exchange, operation)
      },
      async handle(exchange) {
        const input = read(exchange)
        const answer = await access.runHandler(exchange, operation, (context) =>
          handler(input, context),
        )
        check(answer)
        return render(
          operation,
          answer,
          family.beautify && exchange.headers[beautifyHeader] === '1',
        )
      },
    }
  })
}

export function pathOf(family: Family, operation: Operation, prefix: string): string {
  return `${family.root ? '' : prefix}${family.base}${operation.path}`
}

function render(operation: Operation, answer: unknown, beautify: boolean): Answer {
  const status = operation.status ?? 200
  if (answer instanceof RawAnswer) return answer
  // The contract of such an operation says that its handler answers with text or a stream.
  if (operation.media !== undefined) {
    return { status, media: operation.media, body: answer as Answer['body'] }
  }
  if (beautify) {
    const body = operation.bare ? Object(answer) : { ...Object(answer), is_ok: true }
    return { status, media: JSON_MEDIA, body: toText(body, true) }
  }
  const text = JSON.stringify(answer)
  return { status, media: JSON_MEDIA, body: operation.bare ? text : withOk(text) }
}

/** The last member is the same for all, so no object is copied for it. */
function withOk(text: string): string {
  return text === '{}' ? '{"is_ok":true}' : `${text.slice(0, -1)},"is_ok":true}`
}

/** Throws where a handler has answered what its contract does not promise: a fault of ours. */
function answerCheck(name: string, { reply, media }: Operation): (answer: unknown) => void {
  const check = compileSchema(reply)
  return (answer) => {
    // As the client will read it, and without what JSON leaves out.
    const problem = media === undefined ? check(JSON.parse(JSON.stringify(answer))) : undefined
    if (problem === undefined) return
    throw new Error(`${name}: the answer's ${formatPath(problem.path)} ${problem.text.en}`)
  }
}

/** The zone is part of the path, which is checked before the credentials. */
function checkZone(exchange: Exchange, zones: readonly Zone[], all: readonly Zone[]): void {
  const { zone: text } = exchange.params
  if (text === undefined) return
  const zone = zones.find((known) => known === text)
  if (zone === undefined) {
    if (all.some((known) => known === text)) {
      throw new NotFound(
        `This is served under zone ${zones.join(', ')} only, not under ${text}.`,
        `この API はゾーン ${zones.join(', ')} でのみ提供しています (指定: ${text})。`,
      )
    }
    throw new NotFound(`There is no zone ${text} here.`, `ゾーン ${text} はありません。`)
  }
  exchange.zone = zone
}
