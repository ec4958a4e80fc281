/**
 * The test command: one PostgreSQL server for all files, then every test there is, in one run of the
 * test runner, whose closing lines count them.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildConsole } from '../packages/server/src/start/console.ts'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'
import './lib/fail-on-warning.ts'

const patterns = process.argv.slice(2)
const files = globSync(
  patterns.length > 0
    ? patterns
    : [
        'packages/*/src/**/*.test.ts',
        'tools/**/*.test.ts',
        '{acceptance,examples,prove}/**/*.test.ts',
      ],
).sort()
if (files.length === 0) {
  console.error('There are no tests.')
  process.exit(1)
}

/** Where the server keeps its compiled code, too: loading it is a third of the work of most files. */
const COMPILED = join(tmpdir(), 'node-compile-cache')

/** Of each process. */
const FIRST = 'tools/lib/fail-on-warning.ts'

// Once for all: tests start servers side by side, and none of them shall have to build.
await buildConsole(console.log)
// Twice as many as there are cores: many tests wait for a browser, a database or a timer.
const atOnce = 2 * availableParallelism()
const flags = ['--test', '--test-timeout=300000', `--test-concurrency=${atOnce}`]

const folder = mkdtempSync(join(tmpdir(), 'kumoi-tests-'))
const packed = patterns.length === 0 ? await packKumoi(join(folder, 'kumoi')) : {}
const server = await startPostgres()
const child = spawn(process.execPath, [...flags, ...processes(files, folder)], {
  stdio: 'inherit',
  env: {
    ...{ ...process.env, ...packed },
    TEST_POSTGRES_URL: server?.url ?? '',
    NODE_COMPILE_CACHE: COMPILED,
  },
})
child.once('exit', (code) => {
  server?.stop()
  rmSync(folder, { recursive: true })
  process.exit(code ?? 1)
})

/** With all tests, those that start a server or a command start the published one, which takes two thirds of the time. */
async function packKumoi(folder: string): Promise<{ TEST_PACKAGE: string }> {
  // Only then: the bundler takes a second to load.
  const { bundleKumoi } = await import('./build.ts')
  await bundleKumoi(join(folder, 'dist'))
  copyFileSync('packages/cli/package.json', join(folder, 'package.json'))
  return { TEST_PACKAGE: folder }
}

/**
 * What each process runs. Files whose tests start no programs share processes, since loading and warming up what
 * they test is a third of their work, and so do those with a browser, which then share that.
 */
function processes(files: readonly string[], folder: string): string[] {
  const inBrowser = files.filter((file) => file.startsWith('acceptance/console/'))
  const inside = files.filter((file) => /^(packages|tools)\//.test(file))
  const alone = files.filter((file) => !inBrowser.includes(file) && !inside.includes(file))
  const groups = spread([alone.map((file) => [file]), share(inBrowser, 4), share(inside, 16)])
  return groups.map((group, index) => {
    // The runner goes by the names.
    const name = join(folder, `${String(index).padStart(3, '0')}.test.mjs`)
    const urls = [FIRST, ...group].map((file) => pathToFileURL(file).href)
    writeFileSync(name, urls.map((url) => `import ${JSON.stringify(url)}\n`).join(''))
    return name
  })
}

/** Dealt out in turn, so that neighbours, which often take as long, are not in one process. */
function share(files: readonly string[], most: number): string[][] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, group) =>
    files.filter((_, index) => index % count === group),
  )
}

/** Each list evenly over the whole, since some mostly wait and others compute all the time. */
function spread<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) =>
    list.map((item, index) => ({ item, place: (index + 0.5) / list.length })),
  )
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item)
}
