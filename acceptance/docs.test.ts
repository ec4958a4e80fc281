/** Every example of the documents, run as somebody would who follows a page (CONTRIBUTING.md). */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { start, temporaryFolder } from './server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const missing = ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).error)

interface Block {
  readonly language: string
  readonly file: string | undefined
  readonly text: string
}

const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()].map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const flags = /^<!-- server: (.*) -->$/m.exec(text)?.[1]?.split(' ') ?? []
  const blocks = [...text.matchAll(/^```(\w*)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', file, content = '']): Block => ({ language, file, text: content }),
  )
  return { path, flags, blocks }
})

/** As a person has them: the command line of this repository, and a curl that says when it is refused. */
function makeTools(folder: string): string {
  const bin = join(folder, 'bin')
  const node = JSON.stringify(process.execPath)
  const kumoi = JSON.stringify(join(root, 'packages/cli/src/kumoi.mjs'))
  const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim()
  const tools = {
    kumoi: `exec ${node} ${kumoi} "$@"`,
    npx: `[ "$1" = kumoi ] && shift && exec kumoi "$@"\necho "npx is for kumoi here." >&2; exit 1`,
    curl: `exec ${curl} --fail-with-body --silent --show-error "$@"`,
  }
  mkdirSync(bin)
  for (const [name, text] of Object.entries(tools)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  }
  return bin
}

describe('the examples of', { concurrency: 2, timeout: 240_000, skip: missing.length > 0 }, () => {
  for (const { path, flags, blocks } of pages) {
    const script = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)
    if (script.length === 0) continue
    test(path, async (t) => {
      const folder = temporaryFolder(t)
      for (const { file, text } of blocks) {
        if (file !== undefined) writeFileSync(join(folder, file), text)
      }
      const given = flags.map((flag) => (flag.startsWith('-') ? flag : join(folder, flag)))
      const server = await start(join(folder, 'data'), given)
      t.after(() => server.stop())
      const address = server.origin.replace('127.0.0.1', 'localhost')
      const text = script.join('\n').replaceAll('https://localhost:8443', address)
      const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('KUMOI_'))
      const env = { ...Object.fromEntries(clean), PATH: `${makeTools(folder)}:${process.env.PATH}` }
      const shell = promisify(execFile)
      const run = shell('bash', ['-e', '-o', 'pipefail', '-c', text], { cwd: folder, env })
      await assert.doesNotReject(run)
    })
  }
})

describe('the documents', () => {
  test('mark each block of a shell as run or as not to be run', () => {
    for (const { path, blocks } of pages) {
      const unclear = blocks.filter(({ language }) => ['bash', 'shell', 'zsh'].includes(language))
      assert.deepEqual(unclear, [], path)
    }
  })

  test('lead only to pages that are there', () => {
    for (const { path } of pages) {
      const text = readFileSync(join(root, path), 'utf8')
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)) {
        const found = globSync(join(root, path, '..', target.replace(/\/$/, '')))
        assert.equal(found.length, 1, `${path}: ${target}`)
      }
    }
  })
})
