/** Writes what is generated from the contracts; with `--check` it only says what would change. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { slices as allSlices, type Slice } from '../packages/server/src/contracts.ts'
import { GENERATED_FILES, outputs } from './generate/outputs.ts'
import { finish, isProgram, REPOSITORY } from './lib/program.ts'

export interface GenerateOptions {
  readonly root: string
  readonly slices: readonly Slice[]
  readonly version: string
  /** Whether to make the files as they should be, or only to look. */
  readonly write: boolean
}

/** The files that differed from what the contracts say. */
export function generate({ root, slices, version, write }: GenerateOptions): string[] {
  const wanted = outputs(slices, version)
  const present = globSync(GENERATED_FILES, { cwd: root })
  const differing = [...new Set([...wanted.keys(), ...present])]
    .filter((path) => read(join(root, path)) !== wanted.get(path))
    .sort()
  for (const path of write ? differing : []) replace(join(root, path), wanted.get(path))
  return differing
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function replace(path: string, text: string | undefined): void {
  if (text === undefined) {
    rmSync(path)
    return
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

if (isProgram(import.meta.url)) {
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  const write = !process.argv.includes('--check')
  const differing = generate({ root: REPOSITORY, slices: allSlices, version, write })
  if (write) for (const path of differing) console.log(`written: ${path}`)
  const problems = differing.map((path) => `${path}: differs from the contracts: npm run generate`)
  finish('generate', `${allSlices.length} slices`, write ? [] : problems)
}
