/** Programs that tests need and this machine may lack: Debian's packages, where we may install them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LOCK = join(tmpdir(), 'kumoi-apt.lock')

/** Does nothing where there is no apt-get, or we are not root. */
export function installPackages(...names: string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  // Test files run side by side, and apt-get fails at once when another one holds its locks.
  const aptGet = (...args: string[]) => spawnSync('flock', [LOCK, 'apt-get', ...args], options)
  aptGet('update')
  aptGet('install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', ...names)
}
