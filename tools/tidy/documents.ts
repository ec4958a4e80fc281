/** Documents that have to keep up with the code. */
import type { Finding } from './finding.ts'

/** Each setting by its flag; `text` is undefined when the document is missing. */
export function settingFindings(
  path: string,
  text: string | undefined,
  settings: readonly string[],
): Finding[] {
  if (text === undefined) return [missing(path)]
  return settings
    .filter((name) => !new RegExp(`(?<![\\w-])--${name}(?![\\w-])`).test(text))
    .map((name) => ({ path, line: 1, message: `the setting --${name} is not documented` }))
}

/** The document is generated; the first line that differs tells what the contracts changed. */
export function generatedFindings(
  path: string,
  text: string | undefined,
  wanted: string,
): Finding[] {
  if (text === undefined) return [missing(path)]
  if (text === wanted) return []
  const lines = text.split('\n')
  const index = wanted.split('\n').findIndex((line, at) => line !== lines[at])
  const line = (index < 0 ? wanted.split('\n').length : index) + 1
  return [{ path, line, message: 'differs from the contracts: npm run generate' }]
}

function missing(path: string): Finding {
  return { path, line: 1, message: 'the file is missing' }
}
