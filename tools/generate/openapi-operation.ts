/** One operation of a contract as an OpenAPI operation object. */
import { failureBody } from '../../packages/server/src/http/failure.ts'
import type { Family, Operation } from '../../packages/server/src/kernel/contract.ts'
import { type Json, plain } from './json.ts'
import {
  ALL_CODES,
  accessKind,
  declaredRefusals,
  GENERAL_REFUSALS,
  impliedRefusals,
  type NamedOperation,
  type RefusalRow,
} from './operations.ts'
import { describeParameter } from './parameter-words.ts'
import { sampleOf } from './sample.ts'
import { SEARCH_REFERENCES, SEARCH_TEXT } from './search-parameters.ts'
import { withReferences } from './shared-schemas.ts'

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** `names` are those of the schemas that the document has in one place (shared-schemas.ts). */
export function operationObject(
  { name, slice, family, operation }: NamedOperation,
  names: ReadonlyMap<string, string>,
): Json {
  const parameters = [...pathParameters(name, family, operation), ...queryParameters(operation)]
  const body = requestBody(operation, names)
  return {
    operationId: name,
    summary: operation.summary,
    description: description(operation),
    tags: [slice],
    security: security(family, operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responses(family, operation, names),
  }
}

function description(operation: Operation): string {
  const { access, external, query, defaultCount, openWith } = operation
  const permission = external === undefined ? '' : ` and the external permission \`${external}\``
  const needs = {
    key: `Needs a key of the access level \`${access}\` or higher${permission}.`,
    operator: 'Needs the operator token.',
    loopback: 'Needs the operator token unless the caller is on the machine of the server.',
    token: 'Needs the token that was handed out for it.',
    public: 'Needs no credentials.',
  }[access === 'public' ? access : accessKind(access)]
  if (openWith !== undefined) {
    return `${needs} The header \`${openWith.header}: ${openWith.value}\` lets in without one, too.`
  }
  if (query !== 'search') return needs
  const some = defaultCount === undefined ? '' : ` Without Count: ${defaultCount} results.`
  return `${needs} ${SEARCH_TEXT}${some}`
}

function security(family: Family, { access, openWith, path }: Operation): Json[] {
  // A token in the path is no credential that OpenAPI has a name for.
  if (access === 'public' || (access === 'token' && path.includes('{token}'))) return []
  const kind = accessKind(access)
  if (kind === 'key') {
    return [...(openWith ? [{}] : []), { apiKey: [] }, ...(family.digest ? [{ digest: [] }] : [])]
  }
  if (kind === 'token') return [{ handedOut: [] }]
  return kind === 'loopback' ? [{}, { operatorToken: [] }] : [{ operatorToken: [] }]
}

/** The path and the schema of its parameters have to agree, or neither can be trusted. */
function pathParameters(name: string, family: Family, { path, params }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const declared = params === undefined ? [] : Object.keys(params.properties)
  if (inPath.toSorted().join() !== declared.toSorted().join()) {
    throw new Error(`${name}: the path has {${inPath}}, params has {${declared}}.`)
  }
  const own = inPath.map((key) => {
    const schema = plain(params?.properties[key])
    return {
      name: key,
      in: 'path',
      required: true,
      description: describeParameter(key),
      schema,
      ...example(schema, key),
    }
  })
  return family.base.includes('{zone}') ? [reference('parameters', 'Zone'), ...own] : own
}

function queryParameters({ query }: Operation): readonly Json[] {
  if (query === undefined) return []
  if (query === 'search') return SEARCH_REFERENCES
  // Its type has the names one by one; as data they are a list.
  const required: readonly unknown[] = query.required ?? []
  return Object.entries(query.properties).map(([key, schema]) => ({
    name: key,
    in: 'query',
    ...(required.includes(key) && { required: true }),
    description: describeParameter(key),
    schema: plain(schema),
    ...example(plain(schema), key),
  }))
}

function requestBody(
  { body, textBody, fileBody }: Operation,
  names: ReadonlyMap<string, string>,
): Json | undefined {
  if (fileBody !== undefined) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' }
    const schema = { type: 'object', required: [fileBody], properties: { [fileBody]: file } }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (textBody) {
    // The server reads the text whatever the Content-Type says.
    return { required: true, content: { '*/*': { schema: { type: 'string' } } } }
  }
  if (body === undefined) return undefined
  const schema = plain(body)
  const content = { schema: withReferences(schema, names), ...example(schema) }
  return { required: true, content: { 'application/json': content } }
}

/** None where nothing is known that would fit. */
function example(schema: Json, key = ''): { readonly example?: unknown } {
  const sample = sampleOf(schema, key)
  return sample === undefined ? {} : { example: sample }
}

function responses(family: Family, operation: Operation, names: ReadonlyMap<string, string>): Json {
  const refusals = [...declaredRefusals(operation), ...impliedRefusals(family, operation)]
  const statuses = [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)
  const failures = statuses.map((status) => [
    String(status),
    failureResponse(refusals.filter((refusal) => refusal.status === status)),
  ])
  return {
    [operation.status ?? 200]: {
      description: STATUS_TEXTS[operation.status ?? 200],
      ...(operation.status !== 204 && {
        content: { [operation.media ?? 'application/json']: success(operation, names) },
      }),
    },
    ...Object.fromEntries(failures),
    default: reference('responses', 'General'),
  }
}

const STATUS_TEXTS = {
  200: 'Done; the answer follows.',
  201: 'Created; the answer shows it.',
  202: 'Accepted; it is carried out by and by.',
  204: 'Done; there is nothing to answer.',
}

/** An answer in JSON says `is_ok` besides what its contract has; of text the form says nothing. */
function success({ media, bare, reply }: Operation, names: ReadonlyMap<string, string>): Json {
  const schema = plain(reply)
  if (media !== undefined) return { schema }
  if (bare) return { schema: withReferences(schema, names), ...example(schema) }
  const sample = sampleOf(schema)
  return {
    schema: { allOf: [reference('schemas', 'Success'), withReferences(schema, names)] },
    ...(sample !== undefined && { example: { ...Object(sample), is_ok: true } }),
  }
}

function failureResponse(refusals: readonly RefusalRow[]): Json {
  const examples = refusals.map(({ code }) => [code, reference('examples', code)] as const)
  const headers = {
    ...(refusals.some(({ status }) => status === 401) && {
      'WWW-Authenticate': reference('headers', 'Challenge'),
    }),
    ...(refusals.some(({ status }) => status === 429) && {
      'Retry-After': reference('headers', 'RetryAfter'),
    }),
  }
  return {
    description: refusals.map(({ code, condition }) => `\`${code}\`: ${condition}.`).join('\n\n'),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: reference('schemas', 'Failure'),
        examples: Object.fromEntries(examples),
      },
    },
  }
}

export const GENERAL_RESPONSE: Json = failureResponse(GENERAL_REFUSALS)

export const HEADERS: Readonly<Record<string, Json>> = {
  Challenge: { description: 'How to show credentials.', schema: { type: 'string' } },
  RetryAfter: {
    description: 'After how many seconds the next try may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
}

/** What a refusal with this code looks like. */
export function failureExample(code: RefusalRow['code']): Json {
  const language = 'en'
  const cause = { en: 'Here it says what is wrong, and where.', ja: '' }
  const serial = '0123456789abcdef0123456789abcdef'
  return { summary: code, value: failureBody({ code, cause, serial, language }) }
}

export const FAILURE: Json = {
  type: 'object',
  required: ['is_fatal', 'serial', 'status', 'error_code', 'error_msg', 'is_ok'],
  properties: {
    is_fatal: { const: true },
    serial: {
      type: 'string',
      pattern: '^[0-9a-f]{32}$',
      description: 'Stands in the log of the server, too.',
    },
    status: { type: 'string', description: 'The HTTP status and its reason: `409 Conflict`.' },
    error_code: { type: 'string', enum: ALL_CODES },
    error_msg: { type: 'string', description: 'The kind of failure, then the cause.' },
    is_ok: { const: false },
  },
}
