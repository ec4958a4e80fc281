/** The fixtures for tests, in the runners that people use. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from './server.ts'

const run = promisify(execFile)
const runners = fileURLToPath(new URL('runners', import.meta.url))
const server = fileURLToPath(new URL('../packages/server', import.meta.url))

describe('the fixtures', () => {
  const folder = temporaryFolder({ after })
  let missing: string | undefined
  before(async () => {
    cpSync(runners, folder, { recursive: true })
    try {
      // Not `npm ci`: the lock would name binaries for other platforms that some registries lack.
      const flags = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
      await run('npm', ['install', ...flags], { cwd: folder })
    } catch (error) {
      missing = `Jest and Vitest cannot be installed: ${String(error).split('\n')[0]}`
    }
    mkdirSync(join(folder, 'node_modules/@kumoi'), { recursive: true })
    symlinkSync(server, join(folder, 'node_modules/@kumoi/server'))
  })

  const start = (...args: string[]) =>
    run(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })

  test('give each test of Jest a cloud of its own', async (t) => {
    if (missing !== undefined) return t.skip(missing)
    const { stderr } = await start(
      ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
    )
    assert.match(stderr, /Tests: +2 passed, 2 total/)
  })

  test('give each test of Vitest a cloud of its own', async (t) => {
    if (missing !== undefined) return t.skip(missing)
    const { stdout } = await start('node_modules/vitest/vitest.mjs', 'run')
    assert.match(stdout, /Tests +3 passed \(3\)/)
  })
})
