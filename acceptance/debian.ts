/** Programs that tests need and this machine may lack: Debian's packages, where we may install them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Does nothing where there is no apt-get, or we are not root. */
export function installPackages(...names: string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  spawnSync('apt-get', ['update'], options)
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options)
}
