import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

test('every program says in one line which Node it needs, when that is an old one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-node-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const old = join(folder, 'old.cjs')
  writeFileSync(
    old,
    `const versions = { ...process.versions, node: '20.11.1' }
     Object.defineProperty(process, 'versions', { value: versions })\n`,
  )
  const env = {
    ...process.env,
    NODE_OPTIONS: `--require ${old}`,
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  // Without the other scripts that some of them run first.
  const commands = Object.values<string>(scripts)
    .map((script) => script.replaceAll(/npm run \w+ && /g, ''))
    .filter((command) => /\bnode\b.*\.ts\b/.test(command))
  assert.ok(commands.length >= 9)
  for (const command of [...commands, 'node packages/cli/src/kumoi.mjs --help']) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
      ...{ cwd: ROOT, env, encoding: 'utf8', timeout: 60_000 },
    })
    assert.deepEqual([status, stdout], [1, ''], command)
    assert.match(
      stderr,
      /^kumoi: This needs Node \d+\.\d+ or newer; this one is 20\.11\.1\.\n$/,
      command,
    )
  }
})

test('a Node that is new enough is not kept from starting', () => {
  const check = join(ROOT, 'tools/node-version.cjs')
  assert.equal(
    execFileSync(process.execPath, ['-r', check, '-p', '1'], { encoding: 'utf8' }),
    '1\n',
  )
})
