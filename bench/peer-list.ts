/** The peers: how each is started with one document to read and a place to create others, and how it is asked. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Peer {
  /** As npm installs it. */
  readonly name: string
  /** Below node_modules. */
  readonly entry: string
  /** Writes what it serves and answers with its arguments. */
  prepare(folder: string, port: number): readonly string[]
  readonly until: RegExp
  /** Once it answers, before it is measured. */
  setUp?(port: number): Promise<void>
  /** Whole requests for the load. */
  readonly get: string
  readonly create: string
}

const ID = '910000000001'
const ITEM = {
  ...{ Name: 'meter 8981045000000000001', ServiceClass: 'cloud/sim/1', Availability: 'available' },
  ...{ CreatedAt: '2026-04-01T00:00:00+09:00', ModifiedAt: '2026-04-01T00:00:00+09:00' },
}
const NESTED = { ...ITEM, Provider: { Class: 'sim' }, Status: { ICCID: '8981045000000000001' } }

const JSON_SERVER: Peer = {
  name: 'json-server@0.17.4',
  entry: 'json-server/lib/cli/bin.js',
  prepare(folder, port) {
    const items = [{ id: Number(ID), ...NESTED }]
    writeFileSync(join(folder, 'db.json'), JSON.stringify({ items }))
    return ['--port', String(port), '--quiet', join(folder, 'db.json')]
  },
  until: /.*/,
  get: request('GET', `/items/${ID}`),
  create: request('POST', '/items', NESTED),
}

const PRISM: Peer = {
  name: '@stoplight/prism-cli',
  entry: '@stoplight/prism-cli/dist/index.js',
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
    const quiet = ['--verboseLevel', 'silent']
    return ['mock', '-p', String(port), '-h', '127.0.0.1', ...quiet, join(folder, 'openapi.json')]
  },
  until: /.*/,
  get: request('GET', `/items/${ID}`),
  create: request('POST', '/items', NESTED),
}

/** A fixed answer to GET; a "CRUD route" that keeps what is created in memory. Its log cannot be turned off. */
const MOCKOON: Peer = {
  name: '@mockoon/cli',
  entry: '@mockoon/cli/bin/run.js',
  prepare(folder, port) {
    const file = join(folder, 'environment.json')
    writeFileSync(file, JSON.stringify(mockoonEnvironment(port)))
    return ['start', '--repair', '--disable-log-to-file', '--data', file]
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
  entry: 'azurite/dist/src/table/main.js',
  prepare: (folder, port) => [
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
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${length}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}

export const PEERS: readonly Peer[] = [JSON_SERVER, PRISM, AZURITE, MOCKOON]
