/** The packages that a bundle holds, by the modules that are really in it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OutputChunk } from 'rolldown'

export interface Package {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly folder: string
}

export function packagesOf(chunks: readonly OutputChunk[]): Package[] {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  const folders = new Set(modules.filter((id) => id.includes('/node_modules/')).map(folderOf))
  return [...folders].sort().map((folder) => {
    const { name, version, license } = manifestOf(folder) ?? {}
    if (!name || !version || !license) throw new Error(`${folder} names no licence.`)
    return { name, version, license, folder }
  })
}

/** Some packages have further manifests in folders of their own, which name nothing. */
function folderOf(module: string): string {
  let folder = dirname(module.replace(/^\0/, '').replace(/\?.*$/, ''))
  while (manifestOf(folder)?.name === undefined) folder = dirname(folder)
  return folder
}

function manifestOf(folder: string): Partial<Package> | undefined {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
