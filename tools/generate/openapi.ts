/** One OpenAPI 3.1 document per family, from the contracts. */
import type { Slice } from '../../packages/server/src/contracts.ts'
import type { Family, Operation } from '../../packages/server/src/kernel/contract.ts'
import { INTERFACE_ZONES } from '../../packages/server/src/kernel/zone.ts'
import type { Json } from './json.ts'
import {
  FAILURE,
  failureExample,
  GENERAL_RESPONSE,
  HEADERS,
  operationObject,
} from './openapi-operation.ts'
import { ALL_CODES, operationsOf } from './operations.ts'
import { SEARCH_PARAMETERS } from './search-parameters.ts'
import { inside, sharedNames } from './shared-schemas.ts'

export function openApi(family: Family, slices: readonly Slice[], version: string): Json {
  const own = slices.filter((slice) => slice.family === family)
  const operations = operationsOf(own)
  const names = sharedNames(operations, ['Success', 'Failure'])
  const paths: Record<string, Json> = {}
  for (const named of operations) {
    const path = `${family.base}${named.operation.path}`
    const described = operationObject(named, names)
    paths[path] = { ...paths[path], [named.operation.method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Kumoi: ${family.title}`,
      version,
      description: DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [server(family)],
    tags: own.map(({ name }) => ({ name })),
    paths,
    components: components(family, own, JSON.stringify(paths), names),
  }
}

const DESCRIPTION = [
  'Generated from the contracts of the server by `npm run generate`.',
  'Every refusal has the same body; its first line names the kind of failure, the next ones the cause,',
  'in Japanese for `Accept-Language: ja`. Members that are not described are ignored in requests.',
  'A call that is answered 429 or 503 was not carried out and may be tried again.',
].join('\n')

/** `{base_url}` of the interface; what lies at the root of the origin does without the prefix. */
function server(family: Family): Json {
  const description = 'Each part is a setting of the server, with this default.'
  const origin = { host: { default: 'localhost' }, port: { default: '8443' } }
  if (family.root) return { url: 'https://{host}:{port}', description, variables: origin }
  const variables = { ...origin, prefix: { default: '/cloud' } }
  return { url: 'https://{host}:{port}{prefix}', description, variables }
}

/** Only what the document refers to. */
function components(
  family: Family,
  own: readonly Slice[],
  paths: string,
  names: ReadonlyMap<string, string>,
): Json {
  const used = (kind: string, name: string) =>
    `${paths}${JSON.stringify(GENERAL_RESPONSE)}`.includes(`"#/components/${kind}/${name}"`)
  const headers = Object.entries(HEADERS).filter(([name]) => used('headers', name))
  const examples = ALL_CODES.filter((code) => used('examples', code))
  const operations = own.flatMap(({ contract }) => Object.values(contract))
  const searches = operations.some(({ query }) => query === 'search')
  const envelopes = operations.some(({ media, bare }) => media === undefined && !bare)
  const zoned = family.base.includes('{zone}')
  return {
    schemas: {
      ...(envelopes && { Success: SUCCESS }),
      Failure: FAILURE,
      ...Object.fromEntries(
        [...names].map(([text, name]) => [name, inside(JSON.parse(text), names)]),
      ),
    },
    responses: { General: GENERAL_RESPONSE },
    headers: Object.fromEntries(headers),
    examples: Object.fromEntries(examples.map((code) => [code, failureExample(code)])),
    parameters: { ...(zoned && { Zone: ZONE }), ...(searches && SEARCH_PARAMETERS) },
    securitySchemes: securitySchemes(family, operations),
  }
}

function securitySchemes(family: Family, operations: readonly Operation[]): Json {
  if (operations.every(({ access }) => access === 'token')) return { handedOut: HANDED_OUT }
  if (family.root) return { operatorToken: OPERATOR_TOKEN }
  return { apiKey: API_KEY, ...(family.digest && { digest: DIGEST }) }
}

const SUCCESS: Json = {
  type: 'object',
  required: ['is_ok'],
  properties: { is_ok: { const: true } },
}

const ZONE: Json = {
  name: 'zone',
  in: 'path',
  required: true,
  description: 'The zone. Items that are common to all zones are the same from each of them.',
  schema: { type: 'string', enum: [...INTERFACE_ZONES] },
}

const API_KEY: Json = {
  type: 'http',
  scheme: 'basic',
  description: 'An API key: the access token is the user, its secret the password.',
}

const DIGEST: Json = {
  type: 'http',
  scheme: 'digest',
  description: 'The same key by RFC 7616: SHA-256 or MD5, qop `auth`.',
}

const HANDED_OUT: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token that another call has handed out for this one.',
}

const OPERATOR_TOKEN: Json = {
  type: 'http',
  scheme: 'bearer',
  description: 'The operator token: `--operator-token`, or the one made in the data folder.',
}
