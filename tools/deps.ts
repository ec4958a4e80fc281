/**
 * Checks the arrows between our files (`.dependency-cruiser.mjs`). Under a TypeScript that it does
 * not know, dependency-cruiser looks at nothing and is content; so the files that it saw are
 * counted against those on disk.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult, type IViolation } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { finish, isProgram, REPOSITORY } from './lib/program.ts'

const FOLDERS = ['packages/*/src', 'acceptance', 'examples', 'tools', 'bench', 'prove']

export async function cruiseTree(root: string): Promise<ICruiseResult> {
  const options = await extractOptions(join(REPOSITORY, '.dependency-cruiser.mjs'))
  const folders = globSync(FOLDERS, { cwd: root }).sort()
  const { output } = await cruise(folders, { ...options, baseDir: root, outputType: 'json' })
  return typeof output === 'string' ? JSON.parse(output) : output
}

/** Rules that are broken, and files that are on disk but were not looked at. */
export function problemsOf(onDisk: readonly string[], result: ICruiseResult): string[] {
  const seen = new Set(result.modules.map(({ source }) => source))
  const unseen = onDisk.filter((file) => !seen.has(file))
  return [
    ...(onDisk.length === 0 ? ['nothing-seen: there are no source files at all'] : []),
    ...unseen.map((file) => `${file}: not-seen: on disk, but dependency-cruiser did not see it`),
    ...result.summary.violations.map((violation) => describe(violation, result)),
  ]
}

export function sourcesOnDisk(root: string): string[] {
  const patterns = FOLDERS.map((folder) => `${folder}/**/*`)
  return globSync(patterns, { cwd: root })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules/'))
    .sort()
}

function describe({ rule, from, to, cycle }: IViolation, result: ICruiseResult): string {
  const path = [from, ...(cycle?.map(({ name }) => name) ?? (to === from ? [] : [to]))]
  const why = result.summary.ruleSetUsed?.forbidden?.find(({ name }) => name === rule.name)?.comment
  return `${path.join(' → ')}: ${rule.name}: ${why ?? ''}`
}

if (isProgram(import.meta.url)) {
  const onDisk = sourcesOnDisk(REPOSITORY)
  const problems = problemsOf(onDisk, await cruiseTree(REPOSITORY))
  finish('deps', `${onDisk.length} files`, problems)
}
