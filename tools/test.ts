/**
 * The test command: one PostgreSQL server for all files, then every test there is, in one run of the
 * test runner, whose closing lines count them.
 */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../packages/server/src/start/console.ts'
import { startPostgres } from '../packages/server/src/testing/postgres-server.ts'

const patterns = process.argv.slice(2)
const files = globSync(
  patterns.length > 0
    ? patterns
    : ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', '{acceptance,examples}/**/*.test.ts'],
).sort()
if (files.length === 0) {
  console.error('There are no tests.')
  process.exit(1)
}

/** Where the server keeps its compiled code, too: loading it is a third of the work of most files. */
const COMPILED = join(tmpdir(), 'node-compile-cache')

// Once for all: tests start servers side by side, and none of them shall have to build.
await buildConsole(console.log)
// Twice as many as there are cores: many tests wait for a browser, a database or a timer.
const atOnce = 2 * availableParallelism()
const flags = ['--test', '--test-timeout=300000', `--test-concurrency=${atOnce}`]

const server = await startPostgres()
const child = spawn(process.execPath, [...flags, ...files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_POSTGRES_URL: server?.url ?? '', NODE_COMPILE_CACHE: COMPILED },
})
child.once('exit', (code) => {
  server?.stop()
  process.exit(code ?? 1)
})
