/** Turns the operations of a contract into routes: the whole of the framework that a slice ever meets. */
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Contract, Family, Handlers, Input, Operation } from '../kernel/contract.ts'
import { BadRequest, NotFound } from '../kernel/errors.ts'
import { parseQueryString } from '../kernel/query-string.ts'
import { RawAnswer } from '../kernel/raw-answer.ts'
import { compileSchema, formatPath, type Problem } from '../kernel/schema.ts'
import { parseSearch } from '../kernel/search-query.ts'
import { ZONES, type Zone } from '../kernel/zone.ts'
import type { Door } from './door.ts'
import type { Faults, Rendered } from './faults.ts'
import { formFile } from './multipart.ts'

export interface Mount<C extends Contract, HandlerContext> {
  readonly family: Family
  readonly contract: C
  readonly handlers: Handlers<C, HandlerContext>
  readonly door: Door<HandlerContext>
}

export interface MountOptions {
  readonly prefix: string
  readonly beautifyHeader: string
  readonly checkAnswers: boolean
  readonly withFaults: Faults
}

export function mount<C extends Contract, HandlerContext>(
  server: FastifyInstance,
  { prefix, beautifyHeader, checkAnswers, withFaults }: MountOptions,
  { family, contract, handlers, door }: Mount<C, HandlerContext>,
): void {
  for (const [name, operation] of Object.entries(contract)) {
    const read = inputReader(operation)
    const check = checkAnswers ? answerCheck(name, operation) : () => undefined
    // The mapped type has checked each handler against its own operation; here they are all alike.
    const handle = handlers[name] as (input: unknown, context: HandlerContext) => Promise<object>
    addRoute(server, operation, {
      method: operation.method,
      url: pathOf(family, operation, prefix).replaceAll(/\{(\w+)\}/g, ':$1'),
      ...(operation.bodyLimitMib && { bodyLimit: operation.bodyLimitMib * 1024 * 1024 }),
      onRequest: async (request, reply) => {
        request.arrival.operation = { name, operation }
        request.arrival.family = family
        checkZone(request, family.zones ?? ZONES)
        // Kept for the error handler, in case that the door refuses.
        reply.header('www-authenticate', door.challenges())
        await door.admit(request, operation)
        reply.removeHeader('www-authenticate')
      },
      handler: (request, reply) =>
        withFaults(request, reply, async () => {
          const input = read(request)
          const answer = await door.within(request, operation, (context) => handle(input, context))
          check(answer)
          return render(
            operation,
            answer,
            family.beautify && request.headers[beautifyHeader] === '1',
          )
        }),
    })
  }
}

/** A file is not collected: its route lives in a scope of its own, where bodies stay streams. */
function addRoute(server: FastifyInstance, { fileBody }: Operation, route: RouteOptions): void {
  if (fileBody === undefined) {
    server.route(route)
    return
  }
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.route(route)
  })
}

export function pathOf(family: Family, operation: Operation, prefix: string): string {
  return `${family.root ? '' : prefix}${family.base}${operation.path}`
}

function render(operation: Operation, answer: unknown, beautify: boolean): Rendered {
  const status = operation.status ?? 200
  if (answer instanceof RawAnswer) return answer
  if (operation.media !== undefined) return { status, media: operation.media, body: answer }
  const body = operation.bare ? answer : { ...Object(answer), is_ok: true }
  return {
    status,
    media: 'application/json; charset=utf-8',
    body: beautify ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body),
  }
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
function checkZone(request: FastifyRequest, zones: readonly Zone[]): void {
  const { zone: text } = request.params as { zone?: string }
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
  request.arrival.zone = zone
}

function inputReader<O extends Operation>(operation: O): (request: FastifyRequest) => Input<O> {
  const checkParams = operation.params && compileSchema(operation.params)
  const checkBody = operation.body && compileSchema(operation.body)
  const readQuery = queryReader(operation)
  return (request) => {
    const query = readQuery(request.query as { text: string })
    const body = readBody(operation, request)
    if (operation.body !== undefined && !operation.bytesBody) refuse(checkBody?.(body))
    // An id of another form belongs to nothing, so it is not found rather than malformed.
    if (checkParams?.(request.params) !== undefined) {
      throw new NotFound('There is nothing at this path.', 'このパスには何もありません。')
    }
    return { params: request.params, query, body } as Input<O>
  }
}

function queryReader({ query, defaultCount }: Operation): (raw: { text: string }) => unknown {
  if (query === undefined) return () => undefined
  if (query === 'search') return ({ text }) => parseSearch(parseQueryString(text), defaultCount)
  const check = compileSchema(query)
  return ({ text }) => {
    const value = parseQueryString(text) ?? {}
    refuse(check(value))
    return value
  }
}

function readBody(operation: Operation, request: FastifyRequest): unknown {
  const { body: bytes } = request
  if (operation.fileBody !== undefined) return formFile(request, operation)
  if (operation.bytesBody) return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0)
  if (operation.body === undefined && operation.textBody === undefined) return undefined
  const text = decode(bytes)
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

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: unknown): string {
  if (!Buffer.isBuffer(bytes)) return ''
  try {
    return utf8.decode(bytes)
  } catch {
    throw new BadRequest('The body is not valid UTF-8.', '本文が正しいUTF-8ではありません。')
  }
}

function refuse(problem: Problem | undefined): void {
  if (problem === undefined) return
  const { en, ja } = problem.text
  const at = formatPath(problem.path)
  throw new BadRequest(`${at || 'The body'} ${en}`, `${at || '本文'} ${ja}`)
}
