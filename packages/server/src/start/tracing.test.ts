/** What a server does with traces that is seen only from outside: what it loads, and what it says. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stopwatch } from '../kernel/clock.ts'

const MAIN = fileURLToPath(new URL('../main.mjs', import.meta.url))
const TELL_LOADED = `
  import { registerHooks } from 'node:module'
  let isLoaded = false
  registerHooks({
    load(url, context, next) {
      if (url.includes('/@opentelemetry/') && !isLoaded) process.stderr.write('loaded\\n')
      isLoaded ||= url.includes('/@opentelemetry/')
      return next(url, context)
    },
  })`
const TELL = `data:text/javascript;base64,${Buffer.from(TELL_LOADED).toString('base64')}`

/**
 * What a server says on standard error, from its start to its end soon after `last`, with a request in between, and how
 * long that end takes.
 */
async function runUntil(last: RegExp, endpoint?: string): Promise<{ said: string; ms: number }> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...rest } = process.env
  const traced = { ...rest, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const env = endpoint === undefined ? rest : traced
  const places = ['--memory', '--world', 'empty', '--port', '0', '--http-port', '0']
  const args = ['--import', TELL, MAIN, ...places, '--log-level', 'error']
  const child = spawn(process.execPath, args, { env })
  let banner = ''
  let said = ''
  let age: (() => number) | undefined
  const stopAfter = (text: string) => {
    if (!last.test(text)) return
    age ??= stopwatch()
    child.kill('SIGTERM')
  }
  child.stderr.on('data', (chunk) => {
    said += chunk
    stopAfter(said)
  })
  child.stdout.on('data', async (chunk) => {
    banner += chunk
    if (!banner.includes('Ready.')) return
    await fetch(/Plain HTTP +(\S+)/.exec(banner)?.[1] ?? '')
    stopAfter(banner)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.equal(code, 0, said)
  return { said, ms: age?.() ?? 0 }
}

async function openCollector(t: TestContext, answer: RequestListener): Promise<string> {
  const collector = createServer(answer)
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  t.after(() => collector.close())
  return `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
}

describe('a server', () => {
  test('loads nothing of OpenTelemetry without OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
    assert.equal((await runUntil(/Ready/)).said, '')
  })

  test('loads it with the variable, and says when its traces cannot be sent', async (t) => {
    const endpoint = await openCollector(t, (_, response) => response.writeHead(400).end())
    const failed = /"msg":"traces could not be sent"/
    assert.match((await runUntil(failed, endpoint)).said, /^loaded$/m)
  })

  test('stops without the answer of a collector that gives none', async (t) => {
    let requests = 0
    const endpoint = await openCollector(t, () => {
      requests += 1
    })
    const { said, ms } = await runUntil(/Ready/, endpoint)
    assert.match(said, /"msg":"the last traces could not be sent"/)
    assert.equal(requests, 1)
    // One second is for connections to end, one for the collector; the drain is cut off after nine.
    assert.ok(ms < 4500, `${ms} ms`)
  })
})
