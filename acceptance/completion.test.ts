/** Completion in each shell, as somebody types: a word, the tab key, and what the line is then. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { installPackages } from './debian.ts'
import { KUMOI, temporaryFolder } from './server.ts'

const has = (program: string) => spawnSync(program, ['--version']).error === undefined

const SHELLS = ['zsh', 'fish'].filter((shell) => !has(shell))
if (SHELLS.length > 0) installPackages(...SHELLS)
const missing = (shell: string) =>
  !has(shell) && `${shell} is missing (Debian: apt-get install ${shell}).`

const script = (shell: string) =>
  execFileSync(process.execPath, [KUMOI, 'completion', shell], { encoding: 'utf8' })

/** What is typed, and the command that it becomes. */
const TYPED = [
  ['kumoi gatew', 'gateway'],
  ['kumoi sim activ', 'sim activate'],
  ['kumoi gateway create --pl', 'gateway create --plan-id'],
  ['kumoi sim list --output ya', 'sim list --output yaml'],
] as const

/** A shell at a terminal, in which `kumoi` prints what it was given. */
async function typeInto(t: TestContext, shell: string, command: string): Promise<string[]> {
  const file = join(temporaryFolder(t), 'kumoi.completion')
  writeFileSync(file, script(shell))
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, TERM: 'dumb', PS1: '', HISTFILE: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => terminal.kill('SIGKILL'))
  let printed = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const until = async (text: string) => {
    while (!printed.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  // The parts are joined by the shell: what it echoes of them is not taken for what it says.
  terminal.stdin.write(`source ${file}; kumoi() { printf 'r%s<%s>\\n' an "$*"; }\r`)
  terminal.stdin.write(`printf 're%s\\n' ady\r`)
  await until('ready')
  const lines: string[] = []
  for (const [typed, becomes] of TYPED) {
    terminal.stdin.write(`${typed}\t\r`)
    await until(`ran<${becomes}>`)
    lines.push(becomes)
  }
  return lines
}

describe('kumoi completion', () => {
  const all = TYPED.map(([, becomes]) => becomes)

  test('completes nouns, verbs, flags and forms in bash', async (t) => {
    assert.deepEqual(await typeInto(t, 'bash', 'bash --norc --noprofile -i'), all)
  })

  test('does so in zsh', { skip: missing('zsh') }, async (t) => {
    assert.deepEqual(await typeInto(t, 'zsh', 'zsh -f -i'), all)
  })

  test('does so in fish', { skip: missing('fish') }, () => {
    for (const [typed, becomes] of TYPED) {
      const ask = `${script('fish')}\ncomplete -C '${typed}'`
      const found = execFileSync('fish', ['--no-config', '-c', ask], { encoding: 'utf8' })
      assert.deepEqual(found.trim().split('\n'), [becomes.split(' ').at(-1)], typed)
    }
  })

  test('is refused for a shell that it does not know', () => {
    assert.equal(spawnSync(process.execPath, [KUMOI, 'completion', 'tcsh']).status, 2)
  })
})
