/** A release, on a clone of this repository in a temporary folder. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { REPOSITORY } from './lib/program.ts'
import { notesOf, release } from './release.ts'

function clone(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'kumoi-release-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const own = ['-c', 'advice.detachedHead=false']
  git(...own, 'clone', '--quiet', '--no-tags', '--depth', '1', `file://${REPOSITORY}`, '.')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.jp')
  const edit = (name: string, from: string | RegExp, to: string) => {
    const file = join(root, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
  }
  // A section of its own, whatever that of the repository holds.
  edit(
    'CHANGELOG.md',
    /## Unreleased[\s\S]*/,
    '## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.0.1\n\n- Old.\n',
  )
  git('commit', '--quiet', '--all', '--message', 'changelog', '--no-verify')
  return { root, git, edit }
}

/** acceptance/package.test.ts packs for real, which takes half a minute. */
const packed = () => ['kumoi.tgz']

describe('a release', () => {
  test('cuts the notes, names the version under them, commits and tags', (t) => {
    const { root, git } = clone(t)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const head = git('rev-parse', 'HEAD')
    const looked = release(root, true, packed).join('\n')
    assert.match(looked, new RegExp(`^v${version}, with these notes:\n\n### Added\n\n- A thing\\.`))
    assert.doesNotMatch(looked, /Old/)
    assert.deepEqual([git('rev-parse', 'HEAD'), git('tag'), git('status', '-s')], [head, '', ''])

    release(root, false, packed)
    assert.equal(git('tag').trim(), `v${version}`)
    assert.match(git('tag', '-l', '--format=%(contents)'), /^### Added\n\n- A thing\./)
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    const date = String.raw`\d{4}-\d\d-\d\d`
    const heading = new RegExp(`## Unreleased\n\n## ${version} \\(${date}\\)\n\n### Added\n\n- A t`)
    assert.match(changelog, heading)
    assert.equal(git('status', '-s'), '')
    assert.throws(() => release(root, false, packed), /The tag v\S+ is there already/)
  })

  test('is refused with uncommitted changes, an empty section or other versions', (t) => {
    const { root, git, edit } = clone(t)
    const commit = () => git('commit', '--quiet', '--all', '--message', 'x', '--no-verify')
    edit('CHANGELOG.md', '- A thing.\n', '')
    assert.throws(() => release(root, true, packed), /There are changes that are not committed\./)
    commit()
    assert.throws(
      () => release(root, true, packed),
      /The section "Unreleased" of CHANGELOG\.md is e/,
    )
    git('revert', '--no-edit', 'HEAD')
    edit('packages/client/package.json', /"version": "[^"]*"/, '"version": "9.9.9"')
    commit()
    assert.throws(
      () => release(root, true, packed),
      /packages\/client\/package\.json has version 9\.9\.9, the root has/,
    )
    edit('package.json', /"version": "[^"]*"/, '"version": "next"')
    commit()
    assert.throws(() => release(root, true, packed), /"next" in package\.json is not a version/)
  })

  test('has its notes in a section with that name', () => {
    assert.throws(() => notesOf('# Changelog\n\n## 1.0.0\n\n- A.\n'), /no section "Unreleased"/)
  })
})
