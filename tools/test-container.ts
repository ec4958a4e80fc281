/**
 * Builds the image of the Dockerfile and runs it, with buildah and podman of Debian (`npm run test:container`). It is
 * not a part of `npm test`: to build the image installs all packages again.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:https'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadYaml } from '../packages/server/src/kernel/yaml.ts'
import { makeCertificate } from '../packages/server/src/testing/certificates.ts'
import { installPackage } from '../packages/server/src/testing/debian.ts'
import { freePort, startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import { makeRootFileSystem } from './container/base-image.ts'
import { REPOSITORY } from './lib/program.ts'

const PROGRAMS = ['buildah', 'podman', 'runc']
const USER = 1000
const IMAGE = 'localhost/kumoi'
const CERTIFICATES = '/etc/ssl/certs'

const folder = mkdtempSync(join(tmpdir(), 'kumoi-container-'))
/** Nothing of it is left in the storage of the machine. */
const STORAGE = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
const COMMON = [...STORAGE, '--storage-driver', 'vfs']

function run(program: string, args: readonly string[]): string {
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const
  const { status, stdout, stderr, error } = spawnSync(program, [...COMMON, ...args], options)
  if (status !== 0) throw error ?? new Error(`${program} ${args[0]} failed: ${stderr.slice(-3000)}`)
  return stdout.trim()
}

const podman = (...args: string[]) =>
  run('podman', ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args])

/** Why containers cannot run here; undefined when they can. */
function missing(): string | undefined {
  const isThere = (name: string) => spawnSync(name, ['--version']).status === 0
  for (const name of PROGRAMS) if (!isThere(name)) installPackage(name)
  const absent = PROGRAMS.filter((name) => !isThere(name))
  if (absent.length > 0) return `${absent.join(', ')} cannot be had`
  try {
    makeRootFileSystem(join(folder, 'base'))
    const archive = join(folder, 'base.tar')
    execFileSync('tar', ['-C', join(folder, 'base'), '-cf', archive, '.'])
    podman('import', archive, 'docker.io/library/node:24-slim')
    podman('run', '--rm', ...LIMITS, 'docker.io/library/node:24-slim', 'node', '--version')
    return undefined
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error)
  }
}

/** A sandbox may forbid to raise limits, which podman does by itself. */
const LIMITS = ['--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']

const skip = missing()
if (skip !== undefined)
  console.log(`Containers cannot run here (${skip}): the image is not tested.`)

/** What npm of this machine uses, for the time of the build and not in the image. */
function npmSettings(): string[] {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const hasCertificates = existsSync(CERTIFICATES)
  const cafile = hasCertificates ? `cafile=${CERTIFICATES}/ca-certificates.crt\n` : ''
  const file = join(folder, 'npmrc')
  writeFileSync(file, `registry=${registry.trim()}\n${cafile}`)
  const own = join(homedir(), '.npmrc')
  const volumes = [
    `${file}:/usr/local/etc/npmrc:ro`,
    ...(existsSync(own) ? [`${own}:/root/.npmrc:ro`] : []),
    ...(hasCertificates ? [`${CERTIFICATES}:${CERTIFICATES}:ro`] : []),
  ]
  return volumes.flatMap((volume) => ['--volume', volume])
}

interface Running {
  readonly name: string
  readonly port: number
  readonly data: string
}

function ownedFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  chownSync(path, USER, USER)
  return path
}

async function startContainer(
  name: string,
  more: readonly string[],
  command: readonly string[],
): Promise<Running> {
  const data = ownedFolder(`data-${name}`)
  const port = await freePort()
  podman(
    ...['run', '--detach', '--name', name, ...LIMITS, '--read-only', '--tmpfs', '/tmp'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...['--volume', `${data}:/data`, '--env', `KUMOI_PORT=${port}`, ...more, IMAGE, ...command],
  )
  for (;;) {
    if (podman('logs', name).includes('Ready.')) return { name, port, data }
    const state = podman('inspect', '--format', '{{.State.Status}}', name)
    if (state !== 'running') throw new Error(`It is ${state}: ${podman('logs', name)}`)
    await sleep(100)
  }
}

/** Answers with the exit code. */
function stopContainer(name: string): number {
  podman('stop', '--time', '20', name)
  return Number(podman('inspect', '--format', '{{.State.ExitCode}}', name))
}

function statusOf({ port, data }: Running): Promise<number | undefined> {
  const ca = readFileSync(join(data, 'tls/ca.pem'), 'utf8')
  const url = `https://localhost:${port}/cloud/zone/is1a/api/cloud/1.1/auth-status`
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ca, auth: 'demo-token:demo-secret' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    outgoing.once('error', reject).end()
  })
}

describe('the image', { skip: skip ?? false }, () => {
  before(() => {
    const how = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker', '--pull-never']
    run('buildah', ['build', ...how, ...npmSettings(), '--tag', IMAGE, REPOSITORY])
  })
  after(() => {
    spawnSync('podman', [...COMMON, 'rm', '--all', '--force', '--time', '0'])
    rmSync(folder, { recursive: true, force: true })
  })

  test('runs as another user on a read-only root, is healthy, drains, and keeps /data', async () => {
    const first = await startContainer('dev', [], [])
    assert.equal(await statusOf(first), 200)
    assert.equal(podman('exec', 'dev', 'id', '-u'), String(USER))
    assert.throws(() => podman('exec', 'dev', 'touch', '/opt/kumoi/x'), /Read-only file system/)
    assert.match(podman('exec', 'dev', 'kumoi', 'sim', 'list'), /meter-1/)
    podman('healthcheck', 'run', 'dev')
    podman('exec', 'dev', 'kumoi', 'backup', '/data/backup')
    assert.ok(existsSync(join(first.data, 'backup', 'backup.json')))
    assert.equal(stopContainer('dev'), 0)
    const ca = readFileSync(join(first.data, 'tls/ca.pem'))
    podman('rm', 'dev')
    const again = await startContainer('dev', [], [])
    assert.equal(await statusOf(again), 200)
    assert.deepEqual(readFileSync(join(again.data, 'tls/ca.pem')), ca)
    assert.equal(stopContainer('dev'), 0)
  })

  test('runs with the command of compose.yaml on PostgreSQL, its secrets in files', async (t) => {
    const server = await startPostgres()
    if (server === undefined) return t.skip('there is no PostgreSQL server')
    t.after(() => server.stop())
    const { services, secrets } = loadYaml().parse(
      readFileSync(join(REPOSITORY, 'compose.yaml'), 'utf8'),
    )
    const place = ownedFolder('secrets')
    const { certificate, key } = makeCertificate({ names: ['DNS:localhost'] })
    const operatorPort = await freePort()
    const contents: Readonly<Record<string, string>> = {
      config: `operator-token: secret\noperator-port: ${operatorPort}\ndatabase: ${server.url}\n`,
      tls_cert: certificate,
      tls_key: key,
      encryption_key: randomBytes(32).toString('base64'),
    }
    const mounts = services.kumoi.secrets.flatMap((name: string) => {
      assert.ok(name in secrets, name)
      const file = join(place, name)
      writeFileSync(file, contents[name] ?? '')
      chownSync(file, USER, USER)
      return ['--volume', `${file}:/run/secrets/${name}:ro`]
    })
    await startContainer('operate', mounts, services.kumoi.command)
    podman('healthcheck', 'run', 'operate')
    assert.equal(stopContainer('operate'), 0)
  })
})
