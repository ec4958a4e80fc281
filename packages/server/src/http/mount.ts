/** Turns the operations of a contract into routes: all that a slice ever meets of the edge. */
import { isUtf8 } from 'node:buffer'
import type { Contract, Family, Handlers, Input, Operation } from '../kernel/contract.ts'
import { BadRequest, NotFound } from '../kernel/errors.ts'
import { parseQueryString } from '../kernel/query-string.ts'
import { RawAnswer } from '../kernel/raw-answer.ts'
import { compileSchema, formatPath, type Problem } from '../kernel/schema.ts'
import { parseSearch } from '../kernel/search-query.ts'
import { ZONES, type Zone } from '../kernel/zone.ts'
import { type Answer, JSON_MEDIA, toText } from './answers.ts'
import type { Arrival } from './arrival.ts'
import type { Door } from './door.ts'
import { isInspected } from './inspection.ts'
import { formFile } from './multipart.ts'

/** What the edge does at one method of one path. */
export interface Route {
  readonly name: string
  readonly operation: Operation | undefined
  readonly isInspected: boolean
  /** Whether it is text that comes in and goes out, so that express.ts may carry it. */
  readonly isPlain: boolean
  /** See Door. */
  readonly isAnywhere: boolean
  /** Whether answers are indented for those who ask for it. */
  readonly beautifies: boolean
  /** The challenges of a 401. */
  challenges(): readonly string[]
  /** Before the body is read; see door.ts. */
  admit(arrival: Arrival): Promise<void> | undefined
  serve(arrival: Arrival): Promise<Answer>
}

export interface Mount<C extends Contract, HandlerContext> {
  readonly family: Family
  readonly contract: C
  readonly handlers: Handlers<C, HandlerContext>
  readonly door: Door<HandlerContext>
}

export interface MountOptions {
  readonly beautifyHeader: string
  readonly checkAnswers: boolean
}

/** A route for each operation of the contract, by its name. */
export function routesOf<C extends Contract, HandlerContext>(
  { family, contract, handlers, door }: Mount<C, HandlerContext>,
  options: MountOptions,
): (Route & { readonly operation: Operation })[] {
  const { beautifyHeader, checkAnswers } = options
  const zones = family.zones ?? ZONES
  return Object.entries(contract).map(([name, operation]) => {
    const read = inputReader(operation)
    const check = checkAnswers ? answerCheck(name, operation) : () => undefined
    // The mapped type has checked each handler against its own operation; here they are all alike.
    const handle = handlers[name] as (input: unknown, context: HandlerContext) => Promise<object>
    return {
      name,
      operation,
      isInspected: isInspected(operation),
      isPlain: operation.fileBody === undefined && operation.media === undefined,
      isAnywhere: door.isAnywhere === true,
      beautifies: family.beautify,
      challenges: () => door.challenges(),
      admit(arrival) {
        checkZone(arrival, zones)
        return door.admit(arrival, operation)
      },
      async serve(arrival) {
        const input = read(arrival)
        const answer = await door.within(arrival, operation, (context) => handle(input, context))
        check(answer)
        return render(operation, answer, family.beautify && arrival.headers[beautifyHeader] === '1')
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

/** The zone is part of the path, and the path is looked at before the credentials. */
function checkZone(arrival: Arrival, zones: readonly Zone[]): void {
  const { zone: text } = arrival.params
  if (text === undefined) return
  const zone = zones.find((known) => known === text)
  if (zone === undefined) {
    if (ZONES.some((known) => known === text)) {
      throw new NotFound(
        `This is served under zone ${zones.join(', ')} only, not under ${text}.`,
        `この API はゾーン ${zones.join(', ')} でのみ提供しています (指定: ${text})。`,
      )
    }
    throw new NotFound(`There is no zone ${text} here.`, `ゾーン ${text} はありません。`)
  }
  arrival.zone = zone
}

function inputReader<O extends Operation>(operation: O): (arrival: Arrival) => Input<O> {
  const checkParams = operation.params && compileSchema(operation.params)
  const checkBody = operation.body && compileSchema(operation.body)
  const readQuery = queryReader(operation)
  return (arrival) => {
    const { params } = arrival
    const query = readQuery(arrival.queryText)
    const body = readBody(operation, arrival)
    if (operation.body !== undefined && !operation.bytesBody) refuse(checkBody?.(body))
    // An id of another form belongs to nothing, so it is not found rather than malformed.
    if (checkParams?.(params) !== undefined) {
      throw new NotFound('There is nothing at this path.', 'このパスには何もありません。')
    }
    return { params, query, body } as Input<O>
  }
}

function queryReader({ query, defaultCount }: Operation): (text: string) => unknown {
  if (query === undefined) return () => undefined
  if (query === 'search') return (text) => parseSearch(parseQueryString(text), defaultCount)
  const check = compileSchema(query)
  return (text) => {
    const value = parseQueryString(text) ?? {}
    refuse(check(value))
    return value
  }
}

function readBody(operation: Operation, { message, body = NOTHING }: Arrival): unknown {
  if (operation.fileBody !== undefined && message !== undefined) return formFile(message, operation)
  if (operation.bytesBody) return body
  if (operation.body === undefined && operation.textBody === undefined) return undefined
  const text = decode(body)
  if (operation.textBody) return text
  if (text.trim() === '') {
    throw new BadRequest(
      'The request has no body; a JSON document is needed.',
      '本文がありません。',
    )
  }
  try {
    return checkText(JSON.parse(text), text)
  } catch (error) {
    if (error instanceof BadRequest) throw error
    const detail = error instanceof Error ? error.message : ''
    throw new BadRequest(
      `The body is not valid JSON: ${detail}`,
      `本文が正しいJSONではありません: ${detail}`,
    )
  }
}

/** Half a character, which only an escape can write, would be stored as another one than was sent. */
function checkText(value: unknown, source: string): unknown {
  const half = /\\ud[89a-f]/i
  if (half.test(source) && half.test(JSON.stringify(value))) {
    throw new BadRequest(
      'The body has an escape that stands for half a character (a lone surrogate).',
      '本文に不完全なサロゲートのエスケープがあります。',
    )
  }
  return value
}

const NOTHING = Buffer.alloc(0)

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) {
    throw new BadRequest('The body is not valid UTF-8.', '本文が正しいUTF-8ではありません。')
  }
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0)
}

function refuse(problem: Problem | undefined): void {
  if (problem === undefined) return
  const { en, ja } = problem.text
  const at = formatPath(problem.path)
  throw new BadRequest(`${at || 'The body'} ${en}`, `${at || '本文'} ${ja}`)
}
