/** The fixtures for tests, in the runners that people use. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from './server.ts'

const run = promisify(execFile)
const runners = fileURLToPath(new URL('runners', import.meta.url))
const published = fileURLToPath(new URL('../packages/cli', import.meta.url))

const folder = temporaryFolder({ after })
cpSync(runners, folder, { recursive: true })
const missing = await install()
mkdirSync(join(folder, 'node_modules'), { recursive: true })
symlinkSync(published, join(folder, 'node_modules/kumoi'))

/** Answers with what is missing, for whoever reads why the tests were left out. */
async function install(): Promise<string | false> {
  // Not `npm ci`: the lock would name binaries for other platforms that some registries lack.
  const flags = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
  try {
    await run('npm', ['install', ...flags], { cwd: folder })
    return false
  } catch (error) {
    return `Jest and Vitest cannot be installed: ${String(error).split('\n')[0]}`
  }
}

const start = (...args: string[]) =>
  run(process.execPath, args, { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })

describe('the fixtures', { skip: missing }, () => {
  test('give each test of Jest a cloud of its own', async () => {
    const { stderr } = await start(
      ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
    )
    assert.match(stderr, /Tests: +2 passed, 2 total/)
  })

  test('give each test of Vitest a cloud of its own', async () => {
    const { stdout } = await start('node_modules/vitest/vitest.mjs', 'run')
    assert.match(stdout, /Tests +3 passed \(3\)/)
  })
})
