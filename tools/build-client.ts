/**
 * The client as a package that can be published: JavaScript and declarations in `packages/client/dist`, with
 * a manifest of its own. `npm pack ./packages/client/dist` makes the file. The repository itself needs no
 * build: it runs the sources.
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isProgram, REPOSITORY } from './lib/program.ts'

const CLIENT = join(REPOSITORY, 'packages/client')

export function buildClient(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sources = globSync('src/**/*.ts', { cwd: CLIENT, exclude: ['**/*.test.ts'] })
  const config = {
    extends: join(REPOSITORY, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(CLIENT, 'src'),
      outDir: folder,
      types: [],
    },
    include: [],
    files: sources.map((source) => join(CLIENT, source)),
  }
  const file = join(folder, 'tsconfig.json')
  writeFileSync(file, JSON.stringify(config))
  const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '--project', file], { stdio: 'inherit' })
  rmSync(file)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
}

function manifest(): object {
  const {
    private: _private,
    scripts: _scripts,
    ...own
  } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'))
  return { ...own, exports: { '.': { types: './public.d.ts', default: './public.js' } } }
}

if (isProgram(import.meta.url)) buildClient(join(CLIENT, 'dist'))
