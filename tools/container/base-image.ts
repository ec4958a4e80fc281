/**
 * An image with the name of the official one, `node:24-slim`, where that cannot be fetched: Debian's packages of this
 * machine, Node 24 as npm brought it, npm, and the user `node`. So the Dockerfile is built as it is.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

const PACKAGES =
  'base-files dash coreutils libc6 libstdc++6 libgcc-s1 libselinux1 libpcre2-8-0 libacl1 libattr1 libgmp10 libssl3'

export function makeRootFileSystem(root: string): void {
  mkdirSync(root)
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true })
    symlinkSync(`usr/${name}`, join(root, name))
  }
  const listed = execFileSync('dpkg', ['-L', ...PACKAGES.split(' ')], { encoding: 'utf8' })
  for (const path of listed.split('\n').filter(isWanted)) copyPath(path, root)
  const node = realpathSync(process.execPath)
  cpSync(node, join(root, 'usr/local/bin/node'))
  copyNpm(root)
  for (const name of ['tmp', 'proc', 'sys', 'dev', 'run', 'root', 'home/node']) {
    mkdirSync(join(root, name), { recursive: true })
  }
  execFileSync('chmod', ['1777', join(root, 'tmp')])
  const users = 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n'
  writeFileSync(join(root, 'etc/passwd'), users)
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n')
}

function isWanted(path: string): boolean {
  return path.startsWith('/') && !/^\/usr\/share\/(doc|man|locale|info)\//.test(path)
}

/** The folders are those of a system whose /bin is /usr/bin. */
function copyPath(path: string, root: string): void {
  if (!existsSync(path) || statSync(path).isDirectory()) return
  const target = join(root, realpathSync(dirname(path)), basename(path))
  mkdirSync(dirname(target), { recursive: true })
  cpSync(path, target, { verbatimSymlinks: true })
}

function copyNpm(root: string): void {
  const modules = execFileSync('npm', ['root', '--global'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  const place = '/usr/local/lib/node_modules/npm'
  cpSync(join(modules, 'npm'), join(root, place), { recursive: true })
  for (const name of ['npm', 'npx']) {
    symlinkSync(`${place}/bin/${name}-cli.js`, join(root, 'usr/local/bin', name))
  }
}
