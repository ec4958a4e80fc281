import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './console.ts'

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** A console of one line. */
function smallConsole(t: TestContext, { withVite = true } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-console-build-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  if (withVite) symlinkSync(modules, join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'vite.config.mjs'), 'export default {}')
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="/src/main.js"></script>')
  writeFileSync(join(folder, 'src/main.js'), 'console.log(1)')
  return folder
}

/** What a build says. */
async function build(folder: string): Promise<string[]> {
  const lines: string[] = []
  await buildConsole((line) => lines.push(line), folder)
  return lines
}

describe('the build of the console (docs/adr/0028-console.md)', () => {
  test('is made when the sources have changed, and only then', async (t) => {
    const folder = smallConsole(t)
    assert.deepEqual(await build(folder), ['Building the console, since its sources have changed.'])
    assert.ok(existsSync(join(folder, 'dist/index.html')))
    assert.deepEqual(await build(folder), [])
    writeFileSync(join(folder, 'src/main.js'), 'console.log(2)')
    assert.equal((await build(folder)).length, 1)
  })

  test('says in one line what went wrong, keeps what was there and throws nothing', async (t) => {
    const folder = smallConsole(t)
    await build(folder)
    writeFileSync(join(folder, 'src/main.js'), 'import "./missing.js"')
    const [, line = '', ...more] = await build(folder)
    assert.match(line, /^The console was not built, the API is served without it: \S/)
    assert.deepEqual(more, [])
    assert.ok(existsSync(join(folder, 'dist/index.html')))
  })

  test('says so when Vite is missing', async (t) => {
    const lines = await build(smallConsole(t, { withVite: false }))
    assert.match(lines.at(-1) ?? '', /was not built/)
  })
})
