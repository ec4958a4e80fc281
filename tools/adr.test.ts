/** Decision records: few, numbered without gaps, listed, and cited by the names that their files have. */
import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { describe, test } from 'node:test'
import { REPOSITORY } from './lib/program.ts'
import { filesOf } from './tidy.ts'

const FOLDER = 'docs/adr'
const RECORDS_MAX = 30
const RECORD_LINES_MAX = 45
const THIS = 'tools/adr.test.ts'

// Migrations are not among these files: their checksum covers comments, so they keep the old numbers.
const files = filesOf(REPOSITORY).filter(({ path }) => path !== THIS)
const texts = new Map(files.map(({ path, text }) => [path, text]))
const records = [...texts.keys()]
  .filter((path) => /^docs\/adr\/\d{4}-[a-z0-9-]+\.md$/.test(path))
  .sort()

/** A citation without the file's name could silently mean another record after a renumbering. */
function badCitations(text: string): string[] {
  const paths = [...text.matchAll(/docs\/adr\/\d{4}[a-z0-9-]*(?:\.md)?/g)].map(([cited]) => cited)
  const bare = [...text.matchAll(/\bADR[- ]?\d+/g)].map(([cited]) => cited)
  return [...paths.filter((cited) => !records.includes(cited)), ...bare]
}

function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '')
}

/** Links to files of this repository that are not there, and to headings that are not in them. */
function badLinks(path: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)\s]*\.md)?(?:#([^)\s]+))?\)/g)]
  return links.flatMap(([, file, anchor]) => {
    const target =
      file === undefined ? path : posix.normalize(posix.join(posix.dirname(path), file))
    const there = texts.get(target)
    if (there === undefined) return [`${path}: ${target}`]
    const isKnown = anchor === undefined || anchorsOf(there).includes(anchor)
    return isKnown ? [] : [`${path}: ${target}#${anchor}`]
  })
}

describe('the decision records', () => {
  test(`are at most ${RECORDS_MAX}, numbered from 0001 without gaps`, () => {
    assert.ok(records.length > 0 && records.length <= RECORDS_MAX, `${records.length} records`)
    const numbers = records.map((path) => Number(posix.basename(path).slice(0, 4)))
    assert.deepEqual(
      numbers,
      records.map((_, index) => index + 1),
    )
  })

  test('have a context, a decision and consequences, on less than a page', () => {
    for (const path of records) {
      const text = texts.get(path) ?? ''
      assert.match(text, new RegExp(`^# ${posix.basename(path).slice(0, 4)}\\. \\S`), path)
      const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)
      assert.deepEqual(sections, ['Context', 'Decision', 'Consequences'], path)
      assert.ok(text.split('\n').length <= RECORD_LINES_MAX, `${path} is longer than a page`)
    }
  })

  test('are listed with their titles', () => {
    const listed = [...(texts.get(`${FOLDER}/README.md`) ?? '').matchAll(/^\| \[\d{4}\].*$/gm)]
    assert.deepEqual(
      listed.map(([row]) => row),
      records.map((path) => {
        const [, number, title] = /^# (\d{4})\. (.*)$/m.exec(texts.get(path) ?? '') ?? []
        return `| [${number}](${posix.basename(path)}) | ${title} |`
      }),
    )
  })

  test('are cited by the names of their files', () => {
    const bad = files.flatMap(({ path, text }) =>
      badCitations(text).map((cited) => `${path}: ${cited}`),
    )
    assert.deepEqual(bad, [])
    assert.deepEqual(badCitations('docs/adr/0001, docs/adr/9999-none.md, ADR 7'), [
      'docs/adr/0001',
      'docs/adr/9999-none.md',
      'ADR 7',
    ])
  })
})

describe('the documents', () => {
  test('link to files and headings that exist', () => {
    const pages = files.filter(({ path }) => path.endsWith('.md'))
    assert.deepEqual(
      pages.flatMap(({ path, text }) => badLinks(path, text)),
      [],
    )
    assert.equal(badLinks('docs/a.md', '[x](none.md), [y](sims.md#none), [z](sims.md)').length, 2)
  })
})
