/** One operation of a contract as an OpenAPI operation object. */
import type { TSchema } from 'typebox'
import type { Family, Operation } from '../../packages/server/src/kernel/contract.ts'
import type { Json } from './json.ts'
import {
  ALL_CODES,
  accessKind,
  declaredRefusals,
  GENERAL_REFUSALS,
  impliedRefusals,
  type NamedOperation,
  type RefusalRow,
} from './operations.ts'
import { SEARCH_REFERENCES, SEARCH_TEXT } from './search-parameters.ts'

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

export function operationObject({ name, slice, family, operation }: NamedOperation): Json {
  const parameters = [...pathParameters(name, family, operation), ...queryParameters(operation)]
  const body = requestBody(operation)
  return {
    operationId: name,
    summary: operation.summary,
    description: description(operation),
    tags: [slice],
    security: security(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responses(family, operation),
  }
}

function description({ access, external, query, defaultCount }: Operation): string {
  const permission = external === undefined ? '' : ` and the external permission \`${external}\``
  const needs = {
    key: `Needs a key of the access level \`${access}\` or higher${permission}.`,
    operator: 'Needs the operator token.',
    loopback: 'Needs the operator token unless the caller is on the machine of the server.',
    token: 'Needs the token that was handed out for it.',
    public: 'Needs no credentials.',
  }[access === 'public' ? access : accessKind(access)]
  if (query !== 'search') return needs
  const some = defaultCount === undefined ? '' : ` Without Count: ${defaultCount} results.`
  return `${needs} ${SEARCH_TEXT}${some}`
}

function security({ access, path }: Operation): Json[] {
  // A token in the path is no credential that OpenAPI has a name for.
  if (access === 'public' || (access === 'token' && path.includes('{token}'))) return []
  const kind = accessKind(access)
  if (kind === 'key') return [{ apiKey: [] }]
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
  const own = inPath.map((key) => ({
    name: key,
    in: 'path',
    required: true,
    schema: plain(params?.properties[key]),
  }))
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
    schema: plain(schema),
  }))
}

function requestBody({ body, textBody, fileBody }: Operation): Json | undefined {
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
  return { required: true, content: { 'application/json': { schema: plain(body) } } }
}

function responses(family: Family, operation: Operation): Json {
  const refusals = [...declaredRefusals(operation), ...impliedRefusals(family, operation)]
  const statuses = [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)
  const failures = statuses.map((status) => [
    String(status),
    failureResponse(refusals.filter((refusal) => refusal.status === status)),
  ])
  return {
    [operation.status ?? 200]: {
      description: 'Done.',
      content: { [operation.media ?? 'application/json']: { schema: replySchema(operation) } },
    },
    ...Object.fromEntries(failures),
    default: reference('responses', 'General'),
  }
}

function replySchema({ media, bare, reply }: Operation): Json {
  if (media !== undefined || bare) return plain(reply)
  return { allOf: [reference('schemas', 'Success'), plain(reply)] }
}

function failureResponse(refusals: readonly RefusalRow[]): Json {
  return {
    description: refusals.map(({ code, condition }) => `\`${code}\`: ${condition}.`).join('\n\n'),
    content: { 'application/json': { schema: reference('schemas', 'Failure') } },
  }
}

export const GENERAL_RESPONSE: Json = failureResponse(GENERAL_REFUSALS)

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

/** A TypeBox value is JSON Schema already; going through JSON leaves its hidden marks behind. */
function plain(schema: TSchema | undefined): Json {
  return JSON.parse(JSON.stringify(schema ?? {}))
}
