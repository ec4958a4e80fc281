/** What signals do to a server: SIGTERM drains, also when it comes twice; SIGHUP ends nothing by surprise. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bannerOf, KUMOI, launch, MAIN, temporaryFolder } from './server.ts'

const SETTINGS = ['--port', '0', '--http-port', '0', '--log-level', 'error', '--data']

async function plainOf(child: ChildProcess): Promise<URL> {
  return new URL(/Plain HTTP +(\S+)/.exec(await bannerOf(child))?.[1] ?? '')
}

const exitOf = async (child: ChildProcess) => (await once(child, 'exit'))[0]

async function isListening({ port }: URL): Promise<boolean> {
  const socket = connect(Number(port), '127.0.0.1')
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return isOpen
}

/** A request that the server has begun to handle, and whose body has come in part only. */
async function begin({ origin }: URL, data: string) {
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  const headers = { authorization: `Bearer ${token}`, expect: '100-continue' }
  const outgoing = request(`${origin}/_kumoi/v1/accounts`, { method: 'POST', headers })
  outgoing.flushHeaders()
  const status = new Promise<number | undefined>((resolve, reject) => {
    outgoing.once('error', reject).once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
  await once(outgoing, 'continue')
  outgoing.write('{"code":"late",')
  return { status, end: () => outgoing.end('"name":"Late"}') }
}

describe('signals', () => {
  test('a second SIGTERM does not end the drain', async (t) => {
    const data = temporaryFolder(t)
    const child = launch([...SETTINGS, data])
    t.after(() => child.kill('SIGKILL'))
    const plain = await plainOf(child)
    const { status, end } = await begin(plain, data)
    child.kill('SIGTERM')
    while (await isListening(plain)) await sleep(20)
    child.kill('SIGTERM')
    child.kill('SIGINT')
    await sleep(200)
    const ended = exitOf(child)
    end()
    assert.equal(await status, 201)
    assert.equal(await ended, 0)
  })

  test('`kumoi serve` and its server outlive SIGHUP, and end with 0 when both get SIGTERM', async (t) => {
    const child = spawn(process.execPath, [KUMOI, 'serve', ...SETTINGS, temporaryFolder(t)], {
      detached: true,
    })
    const signalAll = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal)
    t.after(() => child.exitCode === null && signalAll('SIGKILL'))
    const plain = await plainOf(child)
    signalAll('SIGHUP')
    child.kill('SIGHUP')
    await sleep(200)
    assert.equal((await fetch(new URL('/_kumoi/v1/health/ready', plain))).status, 200)
    const ended = exitOf(child)
    signalAll('SIGTERM')
    assert.equal(await ended, 0)
  })

  for (const pipe of ['', ' | cat']) {
    const title = `SIGHUP drains a server whose terminal has gone${pipe && ', also with its output in a pipe'}`
    test(title, { timeout: 60_000 }, async (t) => {
      if (!hasScript(t)) return
      const data = temporaryFolder(t)
      const quoted = [process.execPath, MAIN, ...SETTINGS, data]
        .map((word) => `'${word}'`)
        .join(' ')
      // `script` gives it a terminal, which is gone when it is killed. Lines end as they do elsewhere.
      const child = spawn(
        'script',
        ['-qec', `stty -onlcr; ${pipe === '' ? 'exec ' : ''}${quoted}${pipe}`, '/dev/null'],
        {
          stdio: ['pipe', 'pipe', 'pipe'],
        },
      )
      t.after(() => child.kill('SIGKILL'))
      const plain = await plainOf(child)
      child.kill('SIGKILL')
      while (await isListening(plain)) await sleep(20)
      // One that is killed leaves its addresses behind.
      assert.ok(!existsSync(join(data, 'server.json')))
    })
  }
})

function hasScript(t: TestContext): boolean {
  const isThere = spawnSync('script', ['--version']).status === 0
  if (!isThere) t.skip('there is no `script` of util-linux')
  return isThere
}
