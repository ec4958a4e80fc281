/** Certificates in files that are replaced while the server runs: at SIGHUP and without it. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, symlinkSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { bannerOf, launch, temporaryFolder } from './server.ts'
import { giveCertificate } from './tls-files.ts'
import { waitFor } from './wait.ts'

/** PEM of what a new connection is shown. */
async function shownAt(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const shown = socket.getPeerX509Certificate()?.toString() ?? ''
  socket.destroy()
  return shown
}

describe('a certificate in files', () => {
  const cleanups: (() => void)[] = []
  const folder = temporaryFolder({ after: (work) => cleanups.push(work) })
  const link = join(folder, 'current')
  const first = giveCertificate(join(folder, 'first'))
  let child: ChildProcess
  let ports: number[]
  let stderr = ''

  before(async () => {
    symlinkSync('first', link)
    const files = ['--tls-cert', join(link, 'given.pem'), '--tls-key', join(link, 'given.key')]
    const open = ['--port', '0', '--operator-port', '0', '--mqtt-port', '0', '--data']
    child = launch([...files, ...open, join(folder, 'data'), '--log-level', 'error'])
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    const banner = await bannerOf(child)
    const found = [/API +https:\S+?:(\d+)/, /Operator +https:\S+?:(\d+)/, /MQTT +mqtts:\S+?:(\d+)/]
    ports = found.map((pattern) => Number(pattern.exec(banner)?.[1]))
  })
  after(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    for (const cleanup of cleanups) cleanup()
  })

  const isShown = async ({ cert }: { readonly cert: string }) =>
    (await Promise.all(ports.map(shownAt))).every((shown) => shown === cert)

  test('is replaced at SIGHUP on all ports, and open connections go on', async () => {
    assert.ok(await isShown(first))
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: first.cert })
    const ask = async () => {
      const outgoing = get(`https://localhost:${ports[0]}/`, { agent })
      const [response] = await once(outgoing, 'response')
      response.resume()
      await once(response, 'end')
      return outgoing.reusedSocket
    }
    assert.equal(await ask(), false)
    const second = giveCertificate(join(folder, 'first'))
    child.kill('SIGHUP')
    await waitFor('the new certificate', () => isShown(second))
    assert.equal(await ask(), true)
    agent.destroy()
  })

  test('is replaced when a link leads elsewhere, and stays when what is there is broken', async () => {
    const third = giveCertificate(join(folder, 'third'))
    symlinkSync('third', `${link}.new`)
    renameSync(`${link}.new`, link)
    await waitFor('the new certificate', () => isShown(third))
    giveCertificate(join(folder, 'other'))
    copyFileSync(join(folder, 'other', 'given.key'), third.keyFile)
    child.kill('SIGHUP')
    await waitFor('an error', () => /does not belong to the certificate/.test(stderr))
    assert.ok(await isShown(third))
  })
})
