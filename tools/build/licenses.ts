/** The licences of the packages that a bundle holds, by the modules that are really in it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OutputChunk } from 'rolldown'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

export function licensesOf(chunks: readonly OutputChunk[]): string {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds)
  const folders = new Set(modules.filter((id) => id.includes('/node_modules/')).map(packageOf))
  const texts = [...folders].map(licenseOf).sort()
  return ['# Licences of what is bundled', ...texts].join('\n\n')
}

/** Some packages have further manifests in folders of their own, which name nothing. */
function packageOf(module: string): string {
  let folder = dirname(module.replace(/^\0/, '').replace(/\?.*$/, ''))
  while (manifestOf(folder)?.name === undefined) folder = dirname(folder)
  return folder
}

function manifestOf(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function licenseOf(folder: string): string {
  const manifest = manifestOf(folder)
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (manifest?.license === undefined) throw new Error(`${folder} names no licence.`)
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `## ${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}`.trim()
}
