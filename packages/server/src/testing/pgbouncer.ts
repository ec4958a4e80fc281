/** A real PgBouncer in transaction mode before a PostgreSQL server. Debian's package is installed when it is missing. */
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { installPackage } from './debian.ts'
import { freePort, serverUser, waitFor } from './postgres-server.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

/** The address to connect to instead; undefined when there is no PgBouncer and none can be had. */
export async function startPgBouncer(t: TestContext, url: string): Promise<string | undefined> {
  if (!existsSync(PROGRAM)) installPackage('pgbouncer')
  if (!existsSync(PROGRAM)) return undefined
  const { hostname, port: serverPort, username } = new URL(url)
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-pgbouncer-'))
  const port = await freePort()
  const config = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${username}" ""\n`)
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
max_client_conn = 200
`,
  )
  const user = serverUser()
  if (user !== undefined) {
    for (const path of [folder, config, users]) chownSync(path, user.uid, user.gid)
  }
  const child = spawn(PROGRAM, ['-q', config], { ...user, cwd: folder, stdio: 'ignore' })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const pooled = new URL(url)
  pooled.port = String(port)
  await waitFor(pooled.href)
  return pooled.href
}
