/** Receives the body of a request, and reads path, query and body as the contract describes them. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Input, Operation } from '../kernel/contract.ts'
import { BadRequest, NotFound, type Text, TooLarge } from '../kernel/errors.ts'
import { parsePlainQuery, parseQueryString } from '../kernel/query-string.ts'
import { compileSchema, formatPath, type Problem } from '../kernel/schema.ts'
import { parseSearch } from '../kernel/search-query.ts'
import { textProblem } from '../kernel/text-check.ts'
import type { Exchange } from './exchange.ts'
import { formFile } from './uploads.ts'

/** Unless the operation says otherwise. */
export const BODY_LIMIT_MIB = 1
const MIB = 1024 * 1024
const NOTHING = Buffer.alloc(0)

/** Whether there is a body to be received as a whole; a file is read by its operation as a stream. */
export function hasBody({ method, headers, operation }: Exchange): boolean {
  if (method === 'GET' || method === 'HEAD' || operation?.fileBody !== undefined) return false
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

export function collectBody(message: IncomingMessage, limitMib: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    if (Number(message.headers['content-length'] ?? 0) > limitMib * MIB) {
      return reject(tooLarge(limitMib))
    }
    // It has emitted its error before we listen, and does so once.
    if (message.destroyed) return reject(incomplete(message.errored))
    const collect = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limitMib * MIB) return
      message.off('data', collect)
      reject(tooLarge(limitMib))
    }
    message.on('data', collect)
    message.once('end', () => {
      const [first] = chunks
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
    message.once('error', (cause) => reject(incomplete(cause)))
  })
}

export function inputReader<O extends Operation>(operation: O): (exchange: Exchange) => Input<O> {
  const checkParams = operation.params && compileSchema(operation.params)
  const described = operation.body ?? operation.optionalBody
  const checkBody = described && compileSchema(described)
  const readQuery = queryReader(operation)
  return (exchange) => {
    const { params } = exchange
    const query = readQuery(exchange.queryText)
    const body = readBody(operation, exchange)
    if (body !== undefined && !operation.bytesBody) refuse(checkBody?.(body))
    // An id of another form belongs to nothing, so it is not found rather than malformed.
    if (checkParams?.(params) !== undefined) {
      throw new NotFound('There is nothing at this path.', 'このパスには何もありません。')
    }
    return { params, query, body } as Input<O>
  }
}

function queryReader({ query, plainQuery, defaultCount }: Operation): (text: string) => unknown {
  if (query === undefined) return () => undefined
  const parse = (text: string) => {
    const value = plainQuery ? parsePlainQuery(text) : parseQueryString(text)
    refuse(textProblem(value), QUERY)
    return value
  }
  if (query === 'search') return (text) => parseSearch(parse(text), defaultCount)
  const check = compileSchema(query)
  return (text) => {
    const value = parse(text) ?? {}
    refuse(check(value), QUERY)
    return value
  }
}

function readBody(operation: Operation, { message, body = NOTHING }: Exchange): unknown {
  if (operation.fileBody !== undefined) return formFile(message, operation)
  if (operation.bytesBody) return body
  if (operation.body === undefined && operation.textBody === undefined) {
    if (operation.optionalBody === undefined || body.length === 0) return undefined
  }
  const text = decode(body)
  if (operation.textBody) {
    refuse(textProblem(text))
    return text
  }
  if (text.trim() === '') {
    throw new BadRequest(
      'The request has no body; a JSON document is needed.',
      '本文がありません。',
    )
  }
  return parseJson(text)
}

function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const detail = error instanceof Error ? error.message : ''
    throw new BadRequest(
      `The body is not valid JSON: ${detail}`,
      `本文が正しいJSONではありません: ${detail}`,
    )
  }
  refuse(textProblem(value))
  return value
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes))
    throw new BadRequest('The body is not valid UTF-8.', '本文が正しいUTF-8ではありません。')
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0)
}

const BODY: Text = { en: 'The body', ja: '本文' }
const QUERY: Text = { en: 'The query', ja: 'クエリ' }

function refuse(problem: Problem | undefined, whole = BODY): void {
  if (problem === undefined) return
  const { en, ja } = problem.text
  const at = formatPath(problem.path)
  throw new BadRequest(`${at || whole.en} ${en}`, `${at || whole.ja} ${ja}`)
}

function tooLarge(limitMib: number): TooLarge {
  return new TooLarge(
    `The body is larger than the limit of ${limitMib} MiB.`,
    `本文が上限の ${limitMib} MiB を超えています。`,
  )
}

function incomplete(cause: unknown): BadRequest {
  return new BadRequest('The body breaks off before its end.', '本文が途中で終わっています。', {
    cause,
  })
}
