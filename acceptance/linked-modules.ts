/** The packages of this repository's node_modules in another tree of it, whose own packages are its own. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const MODULES = join(ROOT, 'node_modules')

export function linkModules(tree: string): void {
  const modules = join(tree, 'node_modules')
  mkdirSync(join(modules, '@kumoi'), { recursive: true })
  for (const name of readdirSync(MODULES)) {
    if (name !== '@kumoi' && name !== 'kumoi') symlinkSync(join(MODULES, name), join(modules, name))
  }
  symlinkSync(join(tree, 'packages/cli'), join(modules, 'kumoi'))
  for (const name of ['client', 'console', 'server']) {
    symlinkSync(join(tree, 'packages', name), join(modules, '@kumoi', name))
  }
}
