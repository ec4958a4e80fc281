/** The peers: how each is started with one document to read and a place to create others, and the requests. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Peer {
  /** As npm installs it. */
  readonly name: string
  /** Writes the files it needs and returns the arguments of Node. */
  prepare(folder: string, port: number): readonly string[]
  /** For one that has no flag for its port. */
  env?(port: number): Readonly<Record<string, string>>
  /** It writes a log to standard output that cannot be turned off. */
  readonly logs?: true
  /** What it prints when it is ready; requests are tried when that is left out. */
  readonly until?: RegExp
  /** Creates the document that is read; returns its id where the peer chooses it. */
  setUp?(port: number): Promise<string | undefined>
  /** Whole requests for the load; `{id}` in `get` becomes the id. */
  readonly get: string
  readonly create: string
  /** Of one that is measured by several: which. */
  readonly service?: string
  /** How many values `{n}` takes; a new one for each request when it is left out (load.ts). */
  readonly spread?: number
}

/** As fauxqs names it on the port of peers.ts. */
const QUEUE = { QueueUrl: 'http://sqs.us-east-1.localhost:47311/000000000000/items' }
const JSON_TYPE = { 'content-type': 'application/json' }
const ID = '910000000001'
const ITEM = {
  ...{ Name: 'meter 8981045000000000001', ServiceClass: 'cloud/sim/1', Availability: 'available' },
  ...{ CreatedAt: '2026-04-01T00:00:00+09:00', ModifiedAt: '2026-04-01T00:00:00+09:00' },
}
const CUSTOMER = { name: ITEM.Name, email: 'meter@example.jp', description: ITEM.ServiceClass }
const NESTED = { ...ITEM, Provider: { Class: 'sim' }, Status: { ICCID: '8981045000000000001' } }

/**
 * Queues of SQS, kept in memory. Its command line takes no flags and always logs each request; so does ours,
 * and both logs go to files.
 */
const FAUXQS: Peer = {
  name: 'fauxqs@2.4.1',
  service: 'SQS',
  prepare: () => ['node_modules/fauxqs/dist/cli.js'],
  env: (port) => ({ FAUXQS_PORT: String(port) }),
  logs: true,
  async setUp(port) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: sqs('CreateQueue'),
      body: JSON.stringify({ QueueName: 'items' }),
    })
    const { QueueUrl } = (await answer.json()) as { readonly QueueUrl?: string }
    if (QueueUrl !== QUEUE.QueueUrl) throw new Error(`${answer.status}: ${QueueUrl}`)
    return undefined
  },
  get: request('POST', '/', { ...QUEUE, AttributeNames: ['All'] }, sqs('GetQueueAttributes')),
  create: request(
    'POST',
    '/',
    { ...QUEUE, MessageBody: JSON.stringify(NESTED) },
    sqs('SendMessage'),
  ),
}

function sqs(action: string): Record<string, string> {
  return { 'x-amz-target': `AmazonSQS.${action}`, 'content-type': 'application/x-amz-json-1.0' }
}

/** Objects of S3: bytes, taken and answered without a look at them. */
const FAUXQS_OBJECTS: Peer = {
  ...FAUXQS,
  service: 'S3',
  async setUp(port) {
    const put = (path: string, body?: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'PUT', ...(body && { body }) })
    for (const answer of [await put('/items'), await put(`/items/${ID}`, JSON.stringify(NESTED))]) {
      if (!answer.ok) throw new Error(String(answer.status))
    }
    return undefined
  },
  get: request('GET', `/items/${ID}`),
  create: request('PUT', '/items/{n}', NESTED),
}

/** Customers of its Stripe, kept in memory. A token has 5,000 requests an hour, so there are many. */
const EMULATE: Peer = {
  // The latest version on npm, 1.0.2, is another program of the same name.
  name: 'emulate@0.12.2',
  prepare: (_folder, port) => [
    ...['node_modules/emulate/dist/index.js', 'start', '--service', 'stripe'],
    ...['--port', String(port)],
  ],
  until: /Ready\./,
  async setUp(port) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/customers`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_bench', 'content-type': 'application/json' },
      body: JSON.stringify(CUSTOMER),
    })
    const { id } = (await answer.json()) as { readonly id: string }
    return id
  },
  get: request('GET', '/v1/customers/{id}', undefined, { authorization: 'Bearer sk_test_{n}' }),
  create: request('POST', '/v1/customers', CUSTOMER, { authorization: 'Bearer sk_test_{n}' }),
  spread: 10_000,
}

const JSON_SERVER: Peer = {
  name: 'json-server@0.17.4',
  prepare(folder, port) {
    const items = [{ id: Number(ID), ...NESTED }]
    writeFileSync(join(folder, 'db.json'), JSON.stringify({ items }))
    return [
      ...['node_modules/json-server/lib/cli/bin.js', '--port', String(port), '--quiet'],
      join(folder, 'db.json'),
    ]
  },
  get: request('GET', `/items/${ID}`),
  create: request('POST', '/items', NESTED),
}

const PRISM: Peer = {
  name: '@stoplight/prism-cli',
  prepare(folder, port) {
    const content = { 'application/json': { example: { ID, ...NESTED } } }
    const reply = { description: 'ok', content }
    const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    const document = {
      openapi: '3.0.3',
      info: { title: 'items', version: '1' },
      paths: {
        '/items/{id}': { get: { parameters, responses: { 200: reply } } },
        '/items': { post: { requestBody: { content }, responses: { 201: reply } } },
      },
    }
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
    return [
      ...['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', '--verboseLevel', 'silent'],
      ...['-p', String(port), '-h', '127.0.0.1', join(folder, 'openapi.json')],
    ]
  },
  get: request('GET', `/items/${ID}`),
  create: request('POST', '/items', NESTED),
}

/** A fixed answer to GET; a "CRUD route" that keeps what is created in memory. Its log cannot be turned off. */
const MOCKOON: Peer = {
  name: '@mockoon/cli',
  prepare(folder, port) {
    const file = join(folder, 'environment.json')
    writeFileSync(file, JSON.stringify(mockoonEnvironment(port)))
    const entry = 'node_modules/@mockoon/cli/bin/run.js'
    return [entry, 'start', '--repair', '--disable-log-to-file', '--data', file]
  },
  until: /Server started/,
  get: request('GET', `/items/${ID}`),
  create: request('POST', '/items', NESTED),
}

function mockoonEnvironment(port: number) {
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
  const headers = [{ key: 'Content-Type', value: 'application/json' }]
  const response = { latency: 0, statusCode: 200, headers, rules: [], default: true, crudKey: 'id' }
  const route = (n: number, type: string, method: string, endpoint: string, own: object) => ({
    ...{ uuid: uuid(n), type, method, endpoint, documentation: '' },
    responses: [{ ...response, uuid: uuid(n + 1), label: '', ...own }],
  })
  const items = [{ id: ID, ...NESTED }]
  const fixed = { bodyType: 'INLINE', body: JSON.stringify(items[0]), disableTemplating: true }
  const kept = { bodyType: 'DATABUCKET', databucketID: 'item', body: '' }
  const routes = [
    route(1, 'http', 'get', `items/${ID}`, fixed),
    route(3, 'crud', '', 'items', kept),
  ]
  return {
    ...{ uuid: uuid(5), lastMigration: 33, name: 'items', port, hostname: '127.0.0.1' },
    ...{ endpointPrefix: '', latency: 0, folders: [], routes },
    rootChildren: routes.map((each) => ({ type: 'route', uuid: each.uuid })),
    data: [{ uuid: uuid(6), id: 'item', name: 'items', value: JSON.stringify(items) }],
  }
}

/** The account and the key that every installation of it has, as its documentation says. */
const DEVELOPMENT = {
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
}
const ENTITY = `items(PartitionKey='sim',RowKey='${ID}')`

/** Table storage. Entities are flat; the index is kept in memory and saved every few seconds. */
const AZURITE: Peer = {
  name: 'azurite',
  prepare: (folder, port) => [
    'node_modules/azurite/dist/src/table/main.js',
    ...['--tablePort', String(port), '--location', folder, '--silent', '--disableTelemetry'],
    ...['--skipApiVersionCheck', '--disableProductStyleUrl'],
  ],
  until: /successfully started/,
  async setUp(port) {
    const entity = { PartitionKey: 'sim', RowKey: ID, ...ITEM }
    for (const [path, body] of Object.entries({ Tables: { TableName: 'items' }, items: entity })) {
      const answer = await fetch(`http://127.0.0.1:${port}/${DEVELOPMENT.account}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed(path) },
        body: JSON.stringify(body),
      })
      if (answer.status !== 201) throw new Error(`${path}: ${answer.status}`)
    }
    return undefined
  },
  get: request('GET', `/${DEVELOPMENT.account}/${ENTITY}`, undefined, signed(ENTITY)),
  create: request(
    'POST',
    `/${DEVELOPMENT.account}/items`,
    { PartitionKey: 'sim', RowKey: '{n}', ...ITEM },
    signed('items'),
  ),
}

/** SharedKeyLite of tables signs the date and the resource and not the body: one signature does for all rows. */
function signed(resource: string): Record<string, string> {
  const { account, key } = DEVELOPMENT
  const date = new Date().toUTCString()
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${date}\n/${account}/${account}/${resource}`)
    .digest('base64')
  return {
    ...{ 'x-ms-date': date, 'x-ms-version': '2020-12-06', accept: 'application/json' },
    authorization: `SharedKeyLite ${account}:${signature}`,
  }
}

/** `{n}` becomes a number of twelve digits (load.ts). */
function request(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const length = text.replaceAll('{n}', '0'.repeat(12)).length
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...Object.entries(body === undefined ? headers : { ...JSON_TYPE, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    ...(body === undefined ? [] : [`Content-Length: ${length}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

export const PEERS: readonly Peer[] = [
  ...[FAUXQS, FAUXQS_OBJECTS, EMULATE, JSON_SERVER, PRISM, AZURITE, MOCKOON],
]
