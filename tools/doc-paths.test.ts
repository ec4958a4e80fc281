/** Documents name files that are there. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'STYLE.md', 'SECURITY.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
/** In backticks, with a slash and an extension; not a path of a URL, and without a part to be filled in. */
const PATH = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|md|sql|json|mjs|sh))`/g

test('every path that a document names is there', () => {
  const missing = PAGES.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const bases = [ROOT, join(ROOT, 'packages/server/src'), join(ROOT, dirname(page))]
    return [...text.matchAll(PATH)]
      .map(([, path = '']) => path)
      .filter((path) => !bases.some((base) => existsSync(join(base, path))))
      .map((path) => `${page}: ${path}`)
  })
  assert.deepEqual(missing, [])
})
