/** What the compiler and the linter do not see: an ordinary set of checks over all files. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slices } from '../packages/server/src/contracts.ts'
import { SETTINGS } from '../packages/server/src/settings.ts'
import { errorsPage } from './generate/errors-page.ts'
import { ERRORS_PAGE } from './generate/outputs.ts'
import { finish, isProgram, REPOSITORY } from './lib/program.ts'
import { generatedFindings, settingFindings } from './tidy/documents.ts'
import { type Check, type Finding, formatFinding, type TextFile } from './tidy/finding.ts'
import { rowFindings } from './tidy/interface-rows.ts'
import { lockFindings } from './tidy/lock-file.ts'
import { leavesNoMarkers, namesNoVendor } from './tidy/words.ts'

const CHECKS: readonly Check[] = [leavesNoMarkers, namesNoVendor]

const ROWS = 'tools/interface-rows.json'
const OPERATING = 'docs/operating.md'
const LOCK = 'package-lock.json'

export function tidy(files: readonly TextFile[]): Finding[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const list = (path: string) => {
    const text = texts.get(path)
    if (text === undefined) throw new Error(`${path} is missing.`)
    return { path, text }
  }
  return [
    ...files.flatMap(({ path, text }) => CHECKS.flatMap((check) => check(path, text))),
    ...settingFindings(OPERATING, texts.get(OPERATING), Object.keys(SETTINGS)),
    ...generatedFindings(ERRORS_PAGE, texts.get(ERRORS_PAGE), errorsPage(slices)),
    ...rowFindings(list(ROWS), files),
    ...lockFindings(LOCK, list(LOCK).text),
  ]
}

/** What is tracked, and what is new and would be: after the commit a finding comes too late. */
export function filesOf(root: string): TextFile[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0')
  return [...new Set(paths)]
    .filter((path) => /\.(ts|tsx|mjs|js|md|json)$/.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

if (isProgram(import.meta.url)) {
  const files = filesOf(REPOSITORY)
  if (files.length === 0) throw new Error('There are no files to look at.')
  finish('tidy', `${files.length} files`, tidy(files).map(formatFinding))
}
