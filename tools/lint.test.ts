/** The rules of biome.json that hold an architecture up: each is shown to find what it is there for. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { REPOSITORY } from './lib/program.ts'

const SERVER = 'packages/server/src'
const RULES =
  /noRestricted|noProcessEnv|noConsole|noExcessiveLines|noFocusedTests|noSkippedTests|plugin/

const root = mkdtempSync(join(tmpdir(), 'kumoi-lint-'))
after(() => rmSync(root, { recursive: true, force: true }))
for (const path of ['biome.json', '.gitignore', 'tools/lint']) {
  cpSync(join(REPOSITORY, path), join(root, path), { recursive: true })
}

/** The lines of the text in which one of the rules above finds something. */
function linesFound(path: string, text: string): number[] {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  const biome = join(REPOSITORY, 'node_modules/.bin/biome')
  const args = ['lint', '--reporter=github', '--max-diagnostics=none', path]
  const { stdout } = spawnSync(biome, args, { cwd: root, encoding: 'utf8' })
  rmSync(file)
  const found = stdout.split('\n').filter((line) => line.startsWith('::error'))
  const lines = found.filter((line) => RULES.test(line)).map((line) => /line=(\d+)/.exec(line)?.[1])
  return [...new Set(lines.map(Number))].sort((a, b) => a - b)
}

/** Each line of the text is reported. */
function reports(path: string, lines: readonly string[]): void {
  const found = linesFound(path, lines.join('\n'))
  const missed = lines.filter((_, index) => !found.includes(index + 1))
  assert.deepEqual(missed, [], path)
}

function accepts(path: string, lines: readonly string[]): void {
  const found = linesFound(path, lines.join('\n'))
  assert.deepEqual(
    found.map((line) => lines[line - 1]),
    [],
    path,
  )
}

const TIME = [
  "import { setTimeout as sleep } from 'node:timers/promises'",
  "import { performance as watch } from 'node:perf_hooks'",
  "import { hrtime } from 'node:process'",
  'Date.now()',
  "Date['now']()",
  'globalThis.Date.now()',
  'export const a = new Date()',
  'export const b = new Date',
  'Date()',
  'performance.now()',
  'setTimeout(() => 1, 2)',
  'globalThis.setInterval(a, 2)',
  'export const timer = setInterval',
  'process.hrtime.bigint()',
]
const ENTROPY = [
  "import { createHash, randomBytes } from 'node:crypto'",
  "import { randomUUID as id } from 'node:crypto'",
  "import { randomInt } from 'node:crypto'",
  "import * as whole from 'node:crypto'",
  "import standard from 'node:crypto'",
  'Math.random()',
  'crypto.getRandomValues(bytes)',
  'globalThis.crypto.randomUUID()',
]
const ENVIRONMENT = ["import { env } from 'node:process'", 'process.env.HOME', "process['env']"]

describe('the ports of time, randomness and settings', () => {
  test('are the only way to them in the server', () => {
    reports(`${SERVER}/services/sim/routes.ts`, [...TIME, ...ENTROPY, ...ENVIRONMENT])
    reports(`${SERVER}/services/sim/routes.ts`, ['console.log(1)'])
  })

  test('leave alone what is given, what sockets do, and what comments say', () => {
    accepts(`${SERVER}/services/sim/routes.ts`, [
      "import { createHash } from 'node:crypto'",
      "import { randomHex } from '../../kernel/random.ts'",
      'export const date: Date = new Date(0)',
      'clock.now()',
      'socket.setTimeout(5)',
      'process.uptime()',
      'options.randomBytes(8)',
      'export const own = { randomBytes: 1, setTimeout: 2 }',
      'process.argv',
      'config.env',
      '// Date.now() and setTimeout',
    ])
  })

  test('may do it themselves, and so may tests and other packages', () => {
    accepts(`${SERVER}/kernel/clock.ts`, TIME)
    accepts(`${SERVER}/kernel/random.ts`, ENTROPY)
    accepts(`${SERVER}/start/program.ts`, ['process.env'])
    for (const path of [`${SERVER}/a.test.ts`, `${SERVER}/testing/a.ts`, 'packages/cli/src/a.ts']) {
      accepts(path, [...TIME, ...ENTROPY, ...ENVIRONMENT])
    }
  })
})

describe('tests', () => {
  const on = (word: string) => [`test.${word}('a', f)`, `test('a', { ${word}: true }, f)`]

  test('may not be switched off, nor switch off the others', () => {
    const reasons = [`test('a', { ${'skip'}: 'not now' }, f)`, `t.${'skip'}('not now')`]
    reports('tools/a.test.ts', [...['only', 'skip', 'todo'].flatMap(on), ...reasons])
  })

  test('may depend on what is there', () => {
    accepts('tools/a.test.ts', [
      "test('a', { skip: !hasCurl }, f)",
      `if (!hasCurl) t.${'skip'}('there is no curl')`,
    ])
    accepts('tools/a.ts', [`iterator.${'skip'}(1)`])
  })
})

describe('sizes', () => {
  const calls = (count: number) => Array.from({ length: count }, () => 'a()')
  const call = (count: number) => ['export function f() {', ...calls(count - 2), '}']

  test('of functions end at 60 lines, but not in tests', () => {
    accepts('tools/a.ts', call(60))
    assert.deepEqual(linesFound('tools/a.ts', call(61).join('\n')), [1])
    accepts('tools/a.test.ts', call(100))
  })

  test('of files end at 300 lines, those of tests at 400', () => {
    accepts('tools/a.ts', calls(300))
    assert.deepEqual(linesFound('tools/a.ts', calls(301).join('\n')), [1])
    accepts('tools/a.test.ts', calls(400))
    assert.deepEqual(linesFound('tools/a.test.ts', calls(401).join('\n')), [1])
  })
})
