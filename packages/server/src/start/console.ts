/**
 * The console's build, made when its sources have changed since the last one. Vite runs as a process of its
 * own and only then, so that a start with nothing to build neither loads it nor waits.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const CONSOLE_BUILD = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

const LIMIT_MS = 60_000

/** Of the console and of the client, which is built into it. */
const SOURCES = ['src/**/*', 'index.html', 'vite.config.mjs', '../client/src/**/*']

/** Never throws: without a console the interface is served all the same. Answers whether the build is up to date. */
export async function buildConsole(
  say: (line: string) => void,
  folder = dirname(CONSOLE_BUILD),
): Promise<boolean> {
  try {
    // A package that was published has the build and not the sources.
    if (!existsSync(join(folder, 'vite.config.mjs'))) return true
    const hash = hashOf(folder)
    if (builtHash(folder) === hash) return true
    say('Building the console, since its sources have changed.')
    const made = join(folder, `dist-${process.pid}`)
    try {
      await runVite(folder, made)
      writeFileSync(join(made, 'sources.sha256'), hash)
      replace(join(folder, 'dist'), made)
      return true
    } finally {
      rmSync(made, { recursive: true, force: true })
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const cause = message.trim().split('\n')[0]
    say(`The console was not built, the API is served without it: ${cause}`)
    return false
  }
}

function hashOf(folder: string): string {
  const files = globSync(SOURCES, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map(({ parentPath, name }) => join(parentPath, name))
  const lock = join(folder, '../../package-lock.json')
  const all = [...files, ...(existsSync(lock) ? [lock] : [])].sort()
  const hash = createHash('sha256')
  for (const file of all) hash.update(`${file.slice(folder.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function builtHash(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'dist', 'sources.sha256'), 'utf8')
  } catch {
    return undefined
  }
}

function runVite(folder: string, made: string): Promise<void> {
  const vite = join(
    dirname(createRequire(join(folder, 'x')).resolve('vite/package.json')),
    'bin/vite.js',
  )
  const args = [vite, 'build', folder, '--outDir', made, '--logLevel', 'error']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    })
    let complaint = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(complaint || `vite ended with ${code ?? 'a signal'}.`))
    })
  })
}

/** Whole or not at all. Where two starts build at once, the later one may find the other's: it is as good. */
function replace(target: string, made: string): void {
  rmSync(target, { recursive: true, force: true })
  try {
    renameSync(made, target)
  } catch (error) {
    if (!existsSync(join(target, 'index.html'))) throw error
  }
}
