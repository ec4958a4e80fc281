/**
 * The packages as a user gets them: built and packed in a clone, installed in a project of somebody else, and used
 * there by their names alone.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { engines } from './engines.ts'
import { linkModules, MODULES, ROOT } from './linked-modules.ts'
import { bannerOf, CLOUD, temporaryFolder } from './server.ts'

/** Any of those that come with the server. */
const PROFILE = readdirSync(join(ROOT, 'packages/server/profiles'))[0]?.slice(0, -5) ?? ''
const MAX_BYTES = 40 * 1024 * 1024
const MAX_PACKAGES = 40

const folder = temporaryFolder({ after })
const clone = join(folder, 'clone')
const project = join(folder, 'project')
const bin = join(project, 'node_modules/.bin/kumoi')

/** The commands of npm and of the package run on this Node, whatever the machine has. */
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: '1',
  // Set by the runner of this file; under it, another runner of Node would report to this one.
  NODE_TEST_CONTEXT: undefined,
}
const run = promisify(execFile)
/** A schema of the standard, without its network address. */
const cycloneDx = (name: string) =>
  JSON.parse(
    readFileSync(
      join(MODULES, `@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
      'utf8',
    ),
  )
const inClone = (command: string, ...args: string[]) => run(command, args, { cwd: clone, env })
const inProject = (command: string, ...args: string[]) => run(command, args, { cwd: project, env })
const node = (...args: string[]) => inProject(process.execPath, ...args)

/** What git knows, with packages of the clone's own below node_modules, so that nothing here is written to. */
function makeClone(): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const file of files) {
    if (file !== '' && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(clone, file))
  }
  linkModules(clone)
}

/** One hash over the names and the contents of a build. */
function hashOf(dist: string): string {
  const hash = createHash('sha256')
  const entries = globSync('**/*', { cwd: dist, withFileTypes: true }).filter((one) => one.isFile())
  for (const file of entries.map((one) => join(one.parentPath, one.name)).sort()) {
    hash.update(`${file.slice(dist.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

const hashes = () => ['cli', 'client'].map((name) => hashOf(join(clone, 'packages', name, 'dist')))
const manifests = (root: string) =>
  ['cli', 'client'].map((name) =>
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  )
const tarballs = () => globSync(join(folder, '*.tgz')).sort()

describe('the packages', () => {
  before(async () => {
    makeClone()
    await inClone('npm', 'run', 'build')
  })

  test('are packed with the same bytes that another build has, and leave the sources as they were', async () => {
    const built = hashes()
    // As a pack leaves it that was killed between the two.
    const pack = join(clone, 'tools/pack.ts')
    await run(process.execPath, [pack, 'prepack'], { cwd: join(clone, 'packages/client'), env })
    assert.notDeepEqual(manifests(clone), manifests(ROOT))
    await inClone('npm', 'pack', '-w', 'kumoi', '-w', '@kumoi/client', '--pack-destination', folder)
    assert.deepEqual(hashes(), built)
    assert.deepEqual(manifests(clone), manifests(ROOT))
  })

  test('are right for those who check packages', async () => {
    for (const file of tarballs()) {
      const lint = await run(join(MODULES, '.bin/publint'), [file, '--strict'], { env })
      assert.match(lint.stdout, /All good!/)
      await run(join(MODULES, '.bin/attw'), [file], { env })
    }
  })

  describe('installed in a project', () => {
    before(installPackages)

    test('are small, few, and run nothing when they are installed', () => {
      const lock = join(project, 'node_modules/.package-lock.json')
      const installed: Record<string, { hasInstallScript?: true }> = JSON.parse(
        readFileSync(lock, 'utf8'),
      ).packages
      assert.ok(Object.keys(installed).length <= MAX_PACKAGES)
      assert.ok(Object.values(installed).every(({ hasInstallScript }) => !hasInstallScript))
      const files = globSync('node_modules/{kumoi,@kumoi}/**/*', { cwd: project })
      const bytes = files.reduce((sum, file) => sum + statSync(join(project, file)).size, 0)
      assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`)
      assert.ok(files.filter((file) => file.endsWith('.cjs')).length < 60)
    })

    test('name the licence of each package that is bundled', () => {
      const file = join(project, 'node_modules/kumoi/dist/THIRD-PARTY-LICENSES.md')
      const text = readFileSync(file, 'utf8')
      for (const name of ['pg', 'yaml', 'commander', 'ws', 'preact', 'uplot']) {
        assert.match(text, new RegExp(`^## ${name}\\b.*MIT|^## ${name}\\b.*ISC`, 'm'), name)
      }
      assert.match(text, /Copyright \(c\) 2010 - \d+ Brian Carlson/)
    })

    test('have a bill of materials that is valid CycloneDX and names what is bundled', () => {
      const dist = join(project, 'node_modules/kumoi/dist')
      const bom = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'))
      const ajv = new Ajv({ strict: false, validateFormats: false })
      for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
        ajv.addSchema(cycloneDx(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
      }
      const validate = ajv.compile(cycloneDx('bom-1.6'))
      assert.equal(validate(bom), true, JSON.stringify(validate.errors))
      const names: string[] = bom.components.map(({ purl }: { purl: string }) => purl)
      for (const name of [
        'pg',
        'yaml',
        'commander',
        'ws',
        'preact',
        'uplot',
        '%40fastify/busboy',
      ]) {
        assert.ok(
          names.some((purl) => purl.startsWith(`pkg:npm/${name}@`)),
          name,
        )
      }
      const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), 'utf8')
      const bundled = licences.split('# Licenses')[0]?.match(/^## \S+ \d+\.\d+\.\d+\S* \(/gm) ?? []
      assert.ok(bundled.length > 50 && names.length >= bundled.length, `${names.length}`)
    })

    test('run under Jest, without any configuration', async () => {
      const { stderr } = await node('node_modules/jest/bin/jest.js', 'jest/')
      assert.match(stderr, /Tests: +3 passed, 3 total/)
    })

    test('run under Vitest, without any configuration', async () => {
      const { stdout } = await node('node_modules/vitest/vitest.mjs', 'run', 'vitest/')
      assert.match(stdout, /Tests +1 passed \(1\)/)
    })

    test('run under node:test, imported and required', async () => {
      const { stdout } = await node('--test', 'node/cloud.test.mjs')
      assert.match(stdout, /pass 1\n/)
    })

    test('satisfy a strict project without dom and without skipLibCheck', async () => {
      await compile(['types/testing.mts', 'types/testing.cts', 'types/client.mts'], ['node'])
    })

    test('satisfy one without the types of Node, as far as the client goes', async () => {
      await compile(['types/client.mts'], [])
    })

    test('have a command line', async () => {
      const { stdout } = await inProject('npx', '--offline', 'kumoi', '--help')
      assert.match(stdout, /^Usage: kumoi COMMAND/)
      const call = 'fetch(process.env.KUMOI_HTTP_URL).then(({ status }) => console.log(status))'
      const ended = await inProject(bin, 'exec', '--', process.execPath, '-e', call)
      assert.equal(ended.stdout, '404\n')
    })

    test('serve the API, the console, the descriptions and a profile, and read on a thread', async (t) => {
      const { stop, plain, signed } = await serve(t, ['--profile', PROFILE])
      const status = await signed(`${CLOUD}/auth-status`)
      assert.equal(status.Account.Code, 'demo')
      const origin = new URL(plain).origin
      const page = await (await fetch(origin)).text()
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
      assert.equal((await fetch(`${origin}${script}`)).status, 200)
      const described = await (await fetch(`${origin}/openapi/cloud.json`)).json()
      assert.equal(described.openapi, '3.1.0')
      const { stdout } = await inProject(bin, 'sim', 'list', '--query', 'Total')
      assert.match(stdout, /^\d+\n$/)
      const environment = await inProject(bin, 'env', '--for', PROFILE)
      assert.match(environment.stdout, /^export \w+=/m)
      // A snapshot is read on the thread for long reads.
      await inProject(bin, 'snapshot', 'save', '--name', 'base')
      assert.equal(await stop(), 0)
    })

    const postgres = engines.find(({ name }) => name === 'postgres')
    const skip = postgres === undefined && 'there is no PostgreSQL server'
    test('serve with several workers on PostgreSQL', { skip }, async (t) => {
      const flags = (await postgres?.flags()) ?? []
      const { stop, signed } = await serve(t, [...flags, '--workers', '2'])
      const status = await signed(`${CLOUD}/auth-status`)
      assert.equal(status.Account.Code, 'demo')
      assert.equal(await stop(), 0)
    })
  })
})

/** Jest, Vitest and TypeScript are those of the repository: what is tested is how the packages meet them. */
async function installPackages(): Promise<void> {
  cpSync(join(ROOT, 'acceptance/consumer'), project, { recursive: true })
  const own = { name: 'unrelated', version: '1.0.0', private: true }
  writeFileSync(join(project, 'package.json'), JSON.stringify(own))
  const flags = ['--save-dev', '--offline', '--no-audit', '--no-fund']
  await inProject('npm', 'install', ...flags, ...tarballs())
  mkdirSync(join(project, 'node_modules/@types'))
  for (const name of ['jest', 'vitest', '@types/node']) {
    symlinkSync(join(MODULES, name), join(project, 'node_modules', name))
  }
}

async function compile(files: readonly string[], types: readonly string[]): Promise<void> {
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023'], types, noEmit: true },
    skipLibCheck: false,
  }
  const config = join(project, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  await node(join(MODULES, 'typescript/bin/tsc'), '--project', config).catch(({ stdout }) => {
    assert.fail(stdout)
  })
}

/** The packed server, by its command, in the project's folder. */
async function serve(t: TestContext, flags: readonly string[]) {
  const own = ['--port', '0', '--http-port', '0', '--log-level', 'error']
  const child: ChildProcess = spawn(bin, ['serve', ...own, ...flags], {
    ...{ cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] },
  })
  t.after(() => child.kill())
  const banner = await bannerOf(child)
  const plain = /Plain HTTP +(\S+)/.exec(banner)?.[1] ?? ''
  return {
    plain,
    async signed(path: string) {
      const key = Buffer.from('demo-token:demo-secret').toString('base64')
      const headers = { authorization: `Basic ${key}` }
      const answer = await fetch(new URL(path, plain), { headers })
      assert.equal(answer.status, 200)
      return answer.json()
    },
    stop(): Promise<number | null> {
      child.kill('SIGTERM')
      return new Promise((resolve) => child.once('exit', resolve))
    },
  }
}
