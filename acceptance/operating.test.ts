/**
 * Follows docs/operating.md from an empty machine to two servers behind HAProxy, metrics and a verified backup, and
 * through the runbook. Its folders and ports are replaced. `kumoi` is this repository's, curl fails when it is refused,
 * and PostgreSQL is a cluster of the tests, where the user postgres stands for its administrator.
 */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPackages } from './debian.ts'
import { freePort } from './ports.ts'
import { temporaryFolder } from './server.ts'
import { shellEnv } from './shell.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const postgres = process.env.TEST_POSTGRES_URL
const programs = ['haproxy', 'prometheus', 'psql', 'pg_dump', 'openssl', 'jq', 'pgrep']
const missing = () => programs.filter((name) => spawnSync('which', [name]).status !== 0)

if (missing().length > 0) installPackages('haproxy', 'prometheus', 'openssl', 'jq', 'procps')
const absent = postgres ? missing().join(', ') : 'PostgreSQL'
if (absent !== '') console.log(`The walkthrough of operating.md is not run: ${absent} is missing.`)

/** Clusters are created by Debian's commands, as root. */
const isDebian = existsSync('/usr/bin/pg_createcluster') && process.getuid?.() === 0

/** The commands of both sections. The ports of a server end in its number, so a prefix stands for several. */
async function scriptOf(folder: string): Promise<string> {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const part = page.slice(page.indexOf('## From an empty machine'), page.indexOf('## Upgrades'))
  const blocks = [...part.matchAll(/^```walkthrough\n(.*?)^```$/gms)].map(([, text = '']) => text)
  assert.ok(blocks.length >= 11, 'the sections of the page were not found')
  const prefixes = { api: await freePrefix(), operator: await freePrefix() }
  return blocks
    .join('\n')
    .replaceAll(/\b844(?=[\d$])/g, prefixes.api)
    .replaceAll(/\b944(?=[\d$])/g, prefixes.operator)
    .replaceAll('9091', String(await freePort()))
    .replaceAll(':5432', `:${new URL(postgres ?? '').port}`)
    .replaceAll(/\/(etc|run|var\/lib|var\/log|var\/backups)\/kumoi/g, `${folder}/$1/kumoi`)
}

/** Whoever is not root cannot become another user, and does not have to: the cluster of the tests trusts everybody. */
function addRunuser(folder: string): void {
  writeFileSync(join(folder, 'bin/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 })
}

/** Of a port whose nine neighbours are free, too, as far as one can see. */
async function freePrefix(): Promise<string> {
  for (;;) {
    const prefix = String(await freePort()).slice(0, -1)
    const used = [1, 2, 3, 9].map((end) => isUsed(Number(`${prefix}${end}`)))
    if (!(await Promise.all(used)).includes(true)) return prefix
  }
}

function isUsed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(true))
    server.listen(port, () => server.close(() => resolve(false)))
  })
}

test('operating.md leads from an empty machine to two servers, metrics and a verified backup', {
  skip: absent !== '',
  timeout: 180_000,
}, async (t) => {
  const folder = temporaryFolder(t)
  t.after(() => spawnSync('pkill', ['-9', '-f', folder]))
  for (const name of ['run', 'var/log', 'var/lib', 'var/backups', 'etc']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const { hostname, port, username } = new URL(postgres ?? '')
  const env = {
    ...shellEnv(folder),
    ...{ PGHOST: hostname, PGPORT: port, PGUSER: username, PGDATABASE: 'postgres' },
  }
  if (process.getuid?.() !== 0) addRunuser(folder)
  // Not on the command line, where `pgrep` would find the shell itself.
  const script = join(folder, 'commands')
  writeFileSync(script, `set -e -o pipefail\n${await scriptOf(folder)}`)
  const shell = promisify(execFile)
  await shell('bash', [script], { cwd: root, env }).catch(({ stdout, stderr }) => {
    assert.fail(`${stdout.slice(-2000)}\n${stderr}`)
  })
})

test('operating.md leads through a failover of the database', {
  skip: isDebian ? false : 'there is no pg_createcluster',
  timeout: 120_000,
}, async (t) => {
  const folder = temporaryFolder(t)
  // The user postgres does not have to see anything in it but must be able to stand there.
  chmodSync(folder, 0o755)
  t.after(() => spawnSync('pkill', ['-9', '-f', folder]))
  mkdirSync(join(folder, 'var/lib'), { recursive: true })
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  const block =
    /^```failover\n(.*?)^```$/ms.exec(page)?.[1] ?? assert.fail('there is no such block')
  const names = [`one${process.pid}`, `two${process.pid}`]
  const drop = () => {
    for (const name of names)
      spawnSync('sh', [
        '-c',
        `pg_dropcluster --stop $(ls /usr/lib/postgresql | sort -n | tail -1) ${name}`,
      ])
  }
  t.after(drop)
  const text = block
    .replaceAll(/\bone\b/g, names[0] ?? '')
    .replaceAll(/\btwo\b/g, names[1] ?? '')
    .replaceAll('8445', String(await freePort()))
    .replaceAll('5441', String(await freePort()))
    .replaceAll('5442', String(await freePort()))
    .replaceAll('/var/lib/kumoi', `${folder}/var/lib/kumoi`)
  const env = shellEnv(folder)
  const script = join(folder, 'commands')
  writeFileSync(script, `set -e -o pipefail\n${text}`)
  await promisify(execFile)('bash', [script], { cwd: folder, env }).catch(({ stdout, stderr }) => {
    assert.fail(`${stdout.slice(-2000)}\n${stderr}`)
  })
})
