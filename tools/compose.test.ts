/** What the container consists of, as far as it can be tested without one; `npm run test:container` has the rest. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readConfig } from '../packages/server/src/config.ts'
import { loadYaml } from '../packages/server/src/kernel/yaml.ts'
import { serverFolder, startProcess } from '../packages/server/src/testing/server-process.ts'
import { REPOSITORY } from './lib/program.ts'

const compose = loadYaml().parse(readFileSync(join(REPOSITORY, 'compose.yaml'), 'utf8'))
const DOCKERFILE = readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8')

describe('compose.yaml', () => {
  test('gives a command that the server takes in mode operate', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-compose-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const text =
      'operator-token: x\noperator-port: 8444\ndatabase: postgres://kumoi:x@postgres/kumoi\n'
    writeFileSync(join(folder, 'config'), text)
    const [name, ...args] = compose.services.kumoi.command.map((word: string) =>
      word.replace('/run/secrets/config', join(folder, 'config')),
    )
    assert.equal(name, 'serve')
    const config = readConfig(args, { KUMOI_DATA: '/data', KUMOI_HOST: '0.0.0.0' })
    assert.ok(config !== 'help')
    const ports = compose.services.kumoi.ports.map((port: string) => Number(port.split(':').at(-1)))
    assert.deepEqual([config.mode, config.port, config.operatorPort], ['operate', ...ports])
  })

  test('declares each secret and volume that a service uses, and no other', () => {
    type Service = { secrets?: string[]; volumes?: string[] }
    const services: Service[] = Object.values(compose.services)
    const secrets = new Set(services.flatMap((service) => service.secrets ?? []))
    assert.deepEqual([...secrets].sort(), Object.keys(compose.secrets).sort())
    const volumes = services.flatMap((service) => service.volumes ?? [])
    const names = new Set(volumes.map((volume) => volume.split(':')[0]))
    assert.deepEqual([...names].sort(), Object.keys(compose.volumes).sort())
  })
})

describe('the Dockerfile', () => {
  test('copies files that are there', () => {
    const sources = [...DOCKERFILE.matchAll(/^COPY (\S+) /gm)].map(([, source = '']) => source)
    assert.ok(sources.length > 1)
    for (const source of sources) assert.ok(existsSync(join(REPOSITORY, source)), source)
  })

  test('checks the health of a server by the file that it writes, and fails without one', async (t) => {
    const folder = serverFolder(t)
    const data = join(folder, 'data')
    const [, path = ''] = /^COPY (\S+health\S+) /m.exec(DOCKERFILE) ?? []
    const check = () =>
      spawnSync(process.execPath, [join(REPOSITORY, path)], {
        env: { ...process.env, KUMOI_DATA: data },
      }).status
    assert.equal(check(), 1)
    const server = await startProcess(t, folder, ['--data', data, '--operator-port', '0'])
    assert.equal(check(), 0)
    const ended = new Promise((resolve) => server.child.once('exit', resolve))
    server.child.kill('SIGTERM')
    await ended
    assert.equal(check(), 1)
  })
})
