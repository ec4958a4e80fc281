/**
 * Sources reach other files of the repository by `new URL('…', import.meta.url)`. In a bundle that address is another
 * one, so it is rewritten: a source that is an entry of its own becomes its file in the bundle, the manifest becomes
 * that of the package, and everything else is copied into the package.
 */
import { cpSync, existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'

/** Paths of sources by the names that they have in the package. */
export type Entries = Readonly<Record<string, string>>

/** Without it the bundler sees a plain `require` and puts in what is required, to be run when it is called. */
const REQUIRE = /^const require = (?:module\.)?createRequire\(import\.meta\.url\)$/m
const ADDRESS = /\bnew URL\('([^']+)', import\.meta\.url\)/g

export class RepositoryFiles {
  readonly #root: string
  readonly #entries: Entries
  readonly #copied = new Set<string>()

  constructor(root: string, entries: Entries) {
    this.#root = root
    this.#entries = entries
  }

  readonly plugin: Plugin = {
    name: 'repository-files',
    transform: {
      filter: { id: /\/packages\//, code: 'import.meta' },
      handler: (code, id) => {
        const changed = code.replace(REQUIRE, '').replaceAll(ADDRESS, (_, path: string) => {
          const target = this.#inPackage(join(dirname(id), path))
          return `new URL('${target}', import.meta.url)`
        })
        if (changed.replaceAll(ADDRESS, '').includes('import.meta')) {
          throw new Error(`${id} uses import.meta in a way that cannot be bundled.`)
        }
        return { code: changed, map: null }
      },
    },
  }

  /** After the bundle was written. */
  copy(folder: string): void {
    for (const path of this.#copied) {
      cpSync(join(this.#root, path), join(folder, 'files', path), {
        recursive: true,
        // What tells a build from an outdated one is of no use where there are no sources.
        filter: (source) => basename(source) !== 'sources.sha256',
      })
    }
  }

  /** Relative to the files of the bundle, which are all in one folder. */
  #inPackage(file: string): string {
    if (!existsSync(file)) throw new Error(`There is no ${file} to put into the package.`)
    const path = relative(this.#root, file)
    const entry = Object.keys(this.#entries).find((name) => this.#entries[name] === path)
    if (entry !== undefined) return `./${entry}.cjs`
    if (basename(path) === 'package.json') return '../package.json'
    this.#copied.add(path)
    return `./files/${path}${file.endsWith('/') ? '/' : ''}`
  }
}
