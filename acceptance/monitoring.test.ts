/** What deploy/ gives to Prometheus and Grafana is about metrics that a server has; traces reach a collector. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian.ts'
import { engines } from './engines.ts'
import { type ServerProcess, start, temporaryFolder } from './server.ts'

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url))
const PAGE = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
const STATUS = '/cloud/zone/is1a/api/cloud/1.1/auth-status'

const promtool = (...args: string[]) =>
  spawnSync('promtool', args, { cwd: DEPLOY, encoding: 'utf8' })

describe('the alert rules', () => {
  if (promtool('--version').error !== undefined) installPackages('prometheus')
  const isMissing = promtool('--version').error !== undefined
  if (isMissing) console.log('promtool is not here (Debian: prometheus): its checks do not run.')

  test('are valid, fire when they should and are silent otherwise', { skip: isMissing }, () => {
    for (const args of [
      ['check', 'rules', 'prometheus-rules.yaml'],
      ['test', 'rules', 'prometheus-rules.test.yaml'],
    ]) {
      const { status, stdout, stderr } = promtool(...args)
      assert.equal(status, 0, `${stdout}${stderr}`)
    }
  })
})

test('each alert rule has a test of its own', () => {
  const namesAfter = (file: string, key: string) => [
    ...new Set(
      [...readFileSync(join(DEPLOY, file), 'utf8').matchAll(new RegExp(`${key}: (\\w+)`, 'g'))].map(
        ([, name]) => name,
      ),
    ),
  ]
  assert.deepEqual(
    namesAfter('prometheus-rules.test.yaml', 'alertname').sort(),
    namesAfter('prometheus-rules.yaml', 'alert').sort(),
  )
})

/** Names of metrics in expressions; those of Prometheus itself are not ours. */
const namesIn = (text: string) => new Set(text.match(/\b(kumoi|nodejs|process)_[a-z0-9_]+/g) ?? [])

for (const engine of engines) {
  describe(`a server on ${engine.name}`, () => {
    const traces: Trace[] = []
    const collector = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
      traces.push(...resourceSpans)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    let server: ServerProcess
    let cleanUp = () => {}

    before(async () => {
      await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
      const { port } = collector.address() as AddressInfo
      const data = temporaryFolder({
        after: (work) => {
          cleanUp = work
        },
      })
      const flags = [
        '--edge-port',
        '0',
        '--mqtt-port',
        '0',
        '--http-port',
        '0',
        ...(await engine.flags()),
      ]
      server = await start(data, flags, {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      })
    })

    after(async () => {
      await server.stop('SIGKILL')
      collector.close()
      cleanUp()
    })

    test('has every metric that the rules and the dashboard name', async () => {
      await server.ask('GET', STATUS)
      const { body } = await server.operator('GET', '/metrics', '')
      const shown = new Set(
        [...String(body).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name ?? ''],
        ),
      )
      for (const file of ['prometheus-rules.yaml', 'grafana-dashboard.json']) {
        const named = namesIn(readFileSync(join(DEPLOY, file), 'utf8'))
        assert.ok(named.size > 5)
        assert.deepEqual(
          [...named].filter((name) => !shown.has(name)),
          [],
          file,
        )
      }
    })

    test('has no metric of its own that docs/operating.md does not list', async () => {
      const { body } = await server.operator('GET', '/metrics', '')
      const section = PAGE.split('## Metrics')[1]?.split('\n## ')[0] ?? ''
      const shown = [...String(body).matchAll(/^# TYPE (kumoi_\S+)/gm)].map(([, name]) => name)
      assert.ok(shown.length > 15)
      assert.deepEqual(
        shown.filter((name) => !section.includes(`\`${name}`)),
        [],
      )
    })

    test('shows how busy the process, its database and its caches are', async () => {
      for (let count = 0; count < 3; count += 1) await server.ask('GET', STATUS)
      const text = String((await server.operator('GET', '/metrics', '')).body)
      assert.match(text, /^kumoi_key_cache_requests_total\{result="hit"\} [2-9]/m)
      assert.match(text, /^kumoi_key_cache_requests_total\{result="miss"\} [1-9]/m)
      assert.match(text, /^kumoi_database_connections\{state="in_use"\} \d+$/m)
      assert.match(text, /^kumoi_database_waiting \d+$/m)
      assert.match(text, /^nodejs_eventloop_lag_p99_seconds [\d.e-]+$/m)
      assert.match(text, /^kumoi_job_lag_seconds\{job="[\w-]+"\} [\d.]+$/m)
    })

    test('sends a span of each request, below that of its caller', async () => {
      const traceId = '0af7651916cd43dd8448eb211c80319c'
      const parentId = 'b7ad6b7169203331'
      const answer = await fetch(`${plainOrigin(server)}${STATUS}`, {
        headers: {
          authorization: `Basic ${Buffer.from('demo-token:demo-secret').toString('base64')}`,
          traceparent: `00-${traceId}-${parentId}-01`,
        },
      })
      const serial = answer.headers.get('x-request-id')
      // The end of the server sends what is left.
      await server.stop()
      const spans = traces.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      const own = spans.filter((span) => span.traceId === traceId)
      const request = own.find((span) => span.parentSpanId === parentId)
      assert.equal(request?.name, 'GET /auth-status')
      assert.deepEqual(attributesOf(request), {
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'http.route': '/auth-status',
        'kumoi.account': 'demo',
        'kumoi.operation': 'authStatus',
        'kumoi.serial': serial,
      })
      assert.ok(
        own.some((span) => span.name === 'database read' && span.parentSpanId === request?.spanId),
      )
      assert.ok(spans.some(({ name }) => name.startsWith('job ')))
      const [{ resource } = { resource: undefined }] = traces
      assert.equal(attributesOf(resource)['service.name'], 'kumoi')
      assert.equal(attributesOf(resource)['deployment.environment.name'], 'test')
    })
  })
}

interface Attributes {
  readonly attributes: readonly {
    readonly key: string
    readonly value: Readonly<Record<string, unknown>>
  }[]
}

interface Span extends Attributes {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
}

interface Trace {
  readonly resource: Attributes
  readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
}

function attributesOf(found: Attributes | undefined): Record<string, unknown> {
  const pairs = (found?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]])
  return Object.fromEntries(pairs.sort())
}

const plainOrigin = ({ banner }: ServerProcess) => /http:\/\/\S+?(?=\/cloud|\s)/.exec(banner)?.[0]
