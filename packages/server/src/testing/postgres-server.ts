/**
 * A real PostgreSQL server for the tests: a cluster of its own in a temporary folder, on a port of its
 * own, gone at the end. Debian's package is installed when it is missing and we may.
 */
import { execFileSync, type SpawnSyncOptions, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installPackage } from './debian.ts'

/** A locale with another order than bytes, so that a forgotten COLLATE shows. */
const CLUSTER =
  '-U kumoi -A trust -E UTF8 --no-sync --locale-provider=icu --icu-locale=en --locale=C.UTF-8'.split(
    ' ',
  )
const SERVER = '-h 127.0.0.1 -c autovacuum=off -c max_connections=300'.split(' ')

export interface PostgresServer {
  readonly url: string
  /** Ends it for good. */
  stop(): void
  /** Ends it as an administrator would, to be started again. */
  halt(): void
  resume(): Promise<void>
}

/** Without fsync, unless it has to be durable. Undefined, with one printed line, when there is no PostgreSQL and none can be had. */
export async function startPostgres({
  isDurable = false,
} = {}): Promise<PostgresServer | undefined> {
  const programs = findPrograms() ?? installPrograms()
  if (programs === undefined) {
    console.log('PostgreSQL is missing (Debian: apt-get install postgresql): its tests do not run.')
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-postgres-'))
  const user = serverUser()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const run: SpawnSyncOptions = { ...user, cwd: folder, stdio: 'ignore' }
  const data = join(folder, 'data')
  execFileSync(join(programs, 'initdb'), ['-D', data, ...CLUSTER], run)
  const port = await freePort()
  const url = `postgres://kumoi@127.0.0.1:${port}/postgres`
  const fsync = ['-c', `fsync=${isDurable ? 'on' : 'off'}`]
  const resume = async () => {
    const args = ['-D', data, '-p', String(port), '-k', folder, ...SERVER, ...fsync]
    const child = spawn(join(programs, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' })
    // It ends with the tests, not the tests with it.
    child.unref()
    await waitFor(url)
  }
  const end = (mode: string) =>
    spawnSync(join(programs, 'pg_ctl'), ['-D', data, '-m', mode, '-w', 'stop'], run)
  await resume()
  return {
    url,
    stop() {
      end('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
    halt: () => end('fast'),
    resume,
  }
}

function findPrograms(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
}

function installPrograms(): string | undefined {
  installPackage('postgresql')
  return findPrograms()
}

/** The server refuses to run as root, so then it runs as the user of Debian's package. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export async function waitFor(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const connection = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
    try {
      await connection.connect()
      await connection.query('SELECT 1')
      return
    } catch (error) {
      if (attempt === 300) throw error
      await sleep(50)
    } finally {
      await connection.end()
    }
  }
}
