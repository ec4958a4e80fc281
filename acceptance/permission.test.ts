/** The server under Node's permission model, with the options of the image. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { bannerOf, KUMOI, temporaryFolder } from './server.ts'

const [, OPTIONS = ''] =
  /^ENV KUMOI_NODE_OPTIONS="(.*)"$/m.exec(
    readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8'),
  ) ?? []

/** `writable` is what the volume is in the image. */
function serve(t: TestContext, writable: string, ...settings: string[]): ChildProcess {
  const options = OPTIONS.replace('--allow-fs-write=/data', `--allow-fs-write=${writable}`)
  assert.notEqual(options, OPTIONS)
  const own = ['--port', '0', '--http-port', '0', '--log-level', 'error']
  const child = spawn(process.execPath, [KUMOI, 'serve', ...own, ...settings], {
    env: { ...process.env, KUMOI_NODE_OPTIONS: options },
    // A group of its own, so that the server ends with the command.
    detached: true,
  })
  t.after(() => child.exitCode === null && process.kill(-(child.pid ?? 0), 'SIGKILL'))
  return child
}

async function whatIsSaid(child: ChildProcess): Promise<string> {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  return text
}

async function stop(child: ChildProcess): Promise<number> {
  child.kill('SIGTERM')
  return (await once(child, 'exit'))[0]
}

describe("Node's permission model, as the image has it", () => {
  test('lets a server work, keep its data and start again', async (t) => {
    const data = temporaryFolder(t)
    const first = serve(t, data, '--data', data)
    const [, base] = /Plain HTTP +(\S+)/.exec(await bannerOf(first)) ?? []
    const authorization = `Basic ${btoa('demo-token:demo-secret')}`
    const items = (origin = base) => `${origin}/zone/is1a/api/cloud/1.1/commonserviceitem`
    const body = JSON.stringify({ CommonServiceItem: { Name: 'p', Provider: { Class: 'esme' } } })
    const made = await fetch(items(), { method: 'POST', headers: { authorization }, body })
    assert.equal(made.status, 201)
    const { ID } = (await made.json()).CommonServiceItem
    const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
    const saved = await fetch(new URL('/_kumoi/v1/snapshots', base), {
      ...{ method: 'POST', body: '{"name":"kept"}' },
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(saved.status, 201)
    assert.equal(await stop(first), 0)
    const second = serve(t, data, '--data', data)
    const [, again] = /Plain HTTP +(\S+)/.exec(await bannerOf(second)) ?? []
    const read = await fetch(`${items(again)}/${ID}`, { headers: { authorization } })
    assert.equal(read.status, 200)
    assert.equal(await stop(second), 0)
  })

  test('refuses a data folder elsewhere, and programs, with a sentence', async (t) => {
    const [allowed, other] = [temporaryFolder(t), temporaryFolder(t)]
    const elsewhere = await whatIsSaid(serve(t, allowed, '--data', join(other, 'data')))
    assert.match(elsewhere, /^kumoi: .*restricted.*--allow-fs-write/m)
    const several = ['--workers', '2', '--database', 'postgres://nobody@127.0.0.1:1/none']
    const workers = await whatIsSaid(serve(t, allowed, '--data', allowed, ...several))
    assert.match(workers, /--allow-child-process/)
  })
})
