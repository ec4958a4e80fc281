/**
 * Makes a release of what is committed (`npm run release`, with `-- --dry-run` to look first): checks the version, cuts
 * the notes from CHANGELOG.md, packs both packages, and commits and tags. It publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isProgram, REPOSITORY } from './lib/program.ts'

const UNRELEASED = '## Unreleased\n'
const CHANGELOG = 'CHANGELOG.md'
/** Where the tarballs are put, and the notes. */
const OUTPUT = 'release'

export class ReleaseRefused extends Error {}

export interface Release {
  readonly version: string
  readonly tag: string
  readonly notes: string
}

/** Throws what stands in the way, and changes nothing. */
export function checkRelease(root: string): Release {
  const git = gitIn(root)
  if (git('status', '--porcelain') !== '') {
    throw new ReleaseRefused('There are changes that are not committed.')
  }
  const version = versionOf(root)
  const tag = `v${version}`
  if (git('tag', '--list', tag) !== '') {
    throw new ReleaseRefused(`The tag ${tag} is there already: raise the version first.`)
  }
  return { version, tag, notes: notesOf(readFileSync(join(root, CHANGELOG), 'utf8')) }
}

/** What is below `## Unreleased`, up to the next version. */
export function notesOf(changelog: string): string {
  const start = changelog.indexOf(UNRELEASED)
  if (start < 0) throw new ReleaseRefused(`${CHANGELOG} has no section "Unreleased".`)
  const [section = ''] = changelog.slice(start + UNRELEASED.length).split(/^## /m)
  if (!/^- /m.test(section)) {
    throw new ReleaseRefused(`The section "Unreleased" of ${CHANGELOG} is empty.`)
  }
  return `${section.trim()}\n`
}

/** The root and all packages have the same, and name each other by it. */
function versionOf(root: string): string {
  const folders = readdirSync(join(root, 'packages')).map((name) => join('packages', name))
  const manifests = ['.', ...folders].map((folder) => {
    const path = join(folder, 'package.json')
    return { path, ...JSON.parse(readFileSync(join(root, path), 'utf8')) }
  })
  const [{ version }] = manifests
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    throw new ReleaseRefused(`${JSON.stringify(version)} in package.json is not a version.`)
  }
  for (const { path, ...manifest } of manifests) {
    const own = { ...manifest.dependencies, ...manifest.publishConfig?.dependencies }
    const named = Object.entries(own).filter(([name]) => name.startsWith('@kumoi/'))
    for (const [name, other] of [[path, manifest.version], ...named]) {
      if (other === version) continue
      throw new ReleaseRefused(`${path}: ${name} has version ${other}, the root has ${version}.`)
    }
  }
  return version
}

/** Into the folder `release`: two tarballs and the notes. */
function pack(root: string, { notes }: Release): string[] {
  const folder = join(root, OUTPUT)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'NOTES.md'), notes)
  const args = ['pack', '-w', 'kumoi', '-w', '@kumoi/client', '--pack-destination', folder]
  execFileSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return readdirSync(folder).sort()
}

function commitAndTag(root: string, { version, tag, notes }: Release): void {
  const git = gitIn(root)
  const file = join(root, CHANGELOG)
  const heading = `${UNRELEASED}\n## ${version} (${new Date().toISOString().slice(0, 10)})\n`
  writeFileSync(file, readFileSync(file, 'utf8').replace(UNRELEASED, heading))
  git('commit', '--no-verify', '--quiet', '--message', `release: ${version}`, CHANGELOG)
  git('tag', '--annotate', '--cleanup=verbatim', tag, '--message', notes)
}

const gitIn =
  (root: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

export function release(root: string, isDryRun: boolean, packAll = pack): string[] {
  const made = checkRelease(root)
  const names = packAll(root, made)
  if (!isDryRun) commitAndTag(root, made)
  return [
    `${made.tag}, with these notes:\n\n${made.notes}`,
    `In ${OUTPUT}/: ${names.join(', ')}`,
    isDryRun
      ? 'A dry run: nothing was committed or tagged.'
      : `Committed and tagged. To publish: git push --follow-tags, then npm publish ${OUTPUT}/*.tgz, one by one.`,
  ]
}

if (isProgram(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' } } })
    for (const line of release(REPOSITORY, values['dry-run'] === true)) console.log(line)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    console.error(`release: ${message}`)
    process.exitCode = 1
  }
}
