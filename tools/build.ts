/**
 * The packages as they are published, in `packages/cli/dist` and `packages/client/dist`: JavaScript, source maps and
 * declarations. `npm run build` makes both. The repository itself needs no build: it runs the sources.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type InputOptions,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  rolldown,
} from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { buildConsole, CONSOLE_BUILD } from '../packages/server/src/start/console.ts'
import { licensesOf } from './build/licenses.ts'
import { packagesOf } from './build/packages.ts'
import { type Entries, RepositoryFiles } from './build/repository-files.ts'
import { consolePackages, sbomOf } from './build/sbom.ts'
import { isProgram, REPOSITORY } from './lib/program.ts'

const CLIENT = 'packages/client/src/public.ts'
const TESTING = 'packages/cli/src/testing.ts'

/** Each is a file of the package that is started, imported or run as a thread. */
const KUMOI: Entries = {
  kumoi: 'packages/cli/src/kumoi.mjs',
  server: 'packages/server/src/main.mjs',
  testing: TESTING,
  'reader-thread': 'packages/server/src/storage/sqlite/reader-thread-worker.ts',
}

const COMMONJS = {
  format: 'cjs',
  strict: true,
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
} as const

/** Files that a command loads in any case, with all that they import, are one: each costs a command some time. */
const TOGETHER = [
  { name: 'command-line', test: /\/cli\/src\/(main|nouns|operation-command)\.ts$/ },
  { name: 'operation', test: /\/cli\/src\/(operation-run|csv|progress)\.ts$/ },
  // Of the server: what `kumoi edge` loads without the rest of it would else be a file for each few functions.
  { name: 'kernel', test: /\/server\/src\/kernel\/(?!s3-client|yaml)[\w/-]+\.ts$/ },
  { name: 'edge', test: /\/server\/src\/planes\/edge\/(edge|logs\/access-log)\.ts$/ },
  { name: 'acme', test: /\/server\/src\/planes\/acme\// },
  { name: 's3-client', test: /\/server\/src\/kernel\/s3-client\.ts$/ },
  {
    name: 'start',
    test: /\/server\/src\/(start\/(data-folder|sources)|storage\/sqlite\/owner-lock|planes\/outbound\/post|tls\/pem-files|services\/certificates\/(rules|public))\.ts$/,
  },
]

/** What the bundled packages use where somebody has installed it, and do without otherwise. */
const OPTIONAL = ['pg-native', 'cloudflare:sockets', 'bufferutil', 'utf-8-validate']

/**
 * What the client's declarations name of the platform. Empty interfaces merge with those of `dom` or of Node, and let
 * a project that has neither be checked all the same.
 */
const PLATFORM_TYPES = `declare global {
  interface AbortSignal {}
  interface Blob {}
  interface ReadableStream<R = any> {}
  interface RequestInit {}
  interface Response {}
}
`

/** Types are checked by `npm run typecheck`. */
const DECLARE = { noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true }

/** Commander has it for commands that are programs of their own; to load it takes a fifth of what node itself takes. */
const lateChildProcess: Plugin = {
  name: 'late-child-process',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/node_modules/commander/')
      ? '\0late-child-process'
      : null,
  load: (id) =>
    id === '\0late-child-process'
      ? "export default { get spawn() { return require('node:child_process').spawn } }"
      : null,
}

export async function buildKumoi(folder: string): Promise<void> {
  const chunks = await bundleKumoi(folder)
  const packages = packagesOf(chunks)
  const console_ = readFileSync(join(CONSOLE_BUILD, 'licenses.md'), 'utf8')
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.md'), `${licensesOf(packages)}\n${console_}`)
  const own = JSON.parse(readFileSync(at('packages/cli/package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages
  const all = [...packages, ...consolePackages(console_)]
  writeFileSync(join(folder, 'sbom.cdx.json'), sbomOf(own, all, lock))
  await declare(TESTING, folder, 'testing')
  const { exports = [] } = chunks.find(({ name, isEntry }) => isEntry && name === 'testing') ?? {}
  const code = `export { ${exports.join(', ')} } from './testing.cjs'\n`
  writeFileSync(join(folder, 'testing.js'), code)
}

/** What runs of it, without declarations: their compiler takes longer than all the rest. */
export async function bundleKumoi(folder: string): Promise<OutputChunk[]> {
  rmSync(folder, { recursive: true, force: true })
  if (!(await buildConsole(console.error))) throw new Error('There is no console to put in.')
  const files = new RepositoryFiles(REPOSITORY, KUMOI)
  const chunks = await bundle(
    {
      input: Object.fromEntries(Object.entries(KUMOI).map(([name, path]) => [name, at(path)])),
      platform: 'node',
      external: OPTIONAL,
      plugins: [files.plugin, lateChildProcess],
      // Those that are put together on purpose.
      checks: { ineffectiveDynamicImport: false },
      transform: { target: 'node22.18' },
    },
    // CommonJS: Jest requires it, Node loads it faster, and with it alone there is one server in a process, not two.
    { ...COMMONJS, dir: folder, codeSplitting: { groups: TOGETHER } },
  )
  files.copy(folder)
  return chunks
}

export async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const input = { index: at(CLIENT) }
  const transform = { target: 'es2022' }
  await bundle({ input, platform: 'neutral', transform }, { dir: folder })
  await bundle({ input, platform: 'neutral', transform }, { ...COMMONJS, dir: folder })
  await declare(CLIENT, folder, 'index', PLATFORM_TYPES)
}

async function bundle(input: InputOptions, output: OutputOptions): Promise<OutputChunk[]> {
  await using build = await rolldown({ ...input, cwd: REPOSITORY, onLog: fail })
  const { output: made } = await build.write({ sourcemap: true, ...output })
  return made.filter((one) => one.type === 'chunk')
}

/** What a bundler warns of would break in the hands of a user. */
function fail(level: string, { message }: { readonly message?: string }): void {
  if (level === 'warn') throw new Error(message)
}

/** One file of declarations, for `import` and, the same, for `require`. The compiler writes one a source. */
async function declare(path: string, folder: string, name: string, more = ''): Promise<void> {
  const parts = join(folder, 'declarations')
  const project = { extends: at('tsconfig.json'), include: [], files: [at(path)] }
  // The folder may be outside of the repository, where no types are found.
  const places = { rootDir: REPOSITORY, outDir: '.', typeRoots: [at('node_modules/@types')] }
  const compilerOptions = { ...DECLARE, ...places }
  mkdirSync(parts)
  writeFileSync(join(parts, 'tsconfig.json'), JSON.stringify({ ...project, compilerOptions }))
  const compiler = at('node_modules/typescript-native/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', parts], { stdio: 'inherit' })
  await using build = await rolldown({
    input: { [name]: join(parts, path.replace(/\.ts$/, '.d.ts')) },
    cwd: parts,
    external: ['@kumoi/client'],
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  })
  await build.write({ dir: folder })
  rmSync(parts, { recursive: true })
  const text = more + readFileSync(join(folder, `${name}.d.ts`), 'utf8')
  for (const end of ['d.ts', 'd.cts']) writeFileSync(join(folder, `${name}.${end}`), text)
}

function at(path: string): string {
  return join(REPOSITORY, path)
}

if (isProgram(import.meta.url)) {
  await buildKumoi(at('packages/cli/dist'))
  await buildClient(at('packages/client/dist'))
}
