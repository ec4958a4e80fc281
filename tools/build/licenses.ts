/** The licences of the packages that a bundle holds. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Package } from './packages.ts'

export function licensesOf(packages: readonly Package[]): string {
  return ['# Licences of what is bundled', ...packages.map(licenseOf).sort()].join('\n\n')
}

function licenseOf({ name, version, license, folder }: Package): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()
  return `## ${name} ${version} (${license})\n\n${text}`.trim()
}
