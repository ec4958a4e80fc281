import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { cruiseTree, problemsOf, sourcesOnDisk } from './deps.ts'
import { REPOSITORY } from './lib/program.ts'

type Tree = Readonly<Record<string, string>>

const S = 'packages/server/src'
const uses = (...paths: string[]) => paths.map((path) => `import '${path}'\n`).join('')
const npm = (name: string): Tree => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }),
  [`node_modules/${name}/index.js`]: '',
})

/** The layout of the real tree, small: every arrow that is allowed is drawn once. */
const CLEAN: Tree = {
  ...npm('ws'),
  ...npm('pg'),
  ...npm('fast-check'),
  ...npm('stray'),
  'package.json': JSON.stringify({ name: 'root' }),
  'packages/server/package.json': JSON.stringify({
    dependencies: { ws: '1', pg: '1' },
    devDependencies: { 'fast-check': '1' },
  }),
  'packages/client/package.json': JSON.stringify({ name: '@kumoi/client' }),
  [`${S}/main.mjs`]: uses('./start/program.ts'),
  [`${S}/compose.ts`]: uses(
    './config.ts',
    './contracts.ts',
    './http/server.ts',
    './jobs/driver.ts',
    './planes/smpp/server.ts',
    './services/account/routes.ts',
    './services/sim/routes.ts',
  ),
  [`${S}/config.ts`]: uses('./settings.ts'),
  [`${S}/settings.ts`]: uses('./kernel/ids.ts'),
  [`${S}/contracts.ts`]: uses('./services/account/contract.ts', './services/sim/contract.ts'),
  [`${S}/start/program.ts`]: uses(
    '../compose.ts',
    './ports.ts',
    '../backup/backup.ts',
    '../tls/local-ca.ts',
  ),
  [`${S}/tls/local-ca.ts`]: uses('../kernel/ids.ts'),
  [`${S}/snapshots/snapshot.ts`]: uses('../storage/sql.ts'),
  [`${S}/backup/backup.ts`]: uses('../storage/sql.ts', '../services/account/public.ts'),
  [`${S}/start/ports.ts`]: uses('../kernel/ids.ts'),
  [`${S}/kernel/ids.ts`]: uses('./errors.ts', 'node:crypto'),
  [`${S}/kernel/errors.ts`]: 'export const a = 1\n',
  [`${S}/kernel/ids.test.ts`]: uses('./ids.ts', 'fast-check', '../testing/engines.ts'),
  [`${S}/testing/engines.ts`]: uses('../start/ports.ts', '../compose.ts', 'pg'),
  [`${S}/storage/sql.ts`]: uses('../kernel/errors.ts', 'node:sqlite', 'pg'),
  [`${S}/services/context.ts`]: uses('../storage/sql.ts'),
  [`${S}/services/world-section.ts`]: uses('../kernel/errors.ts'),
  [`${S}/services/account/public.ts`]: "export { a } from './rules.ts'\nexport type B = 1\n",
  [`${S}/services/account/contract.ts`]: uses('./rules.ts'),
  [`${S}/services/account/rules.ts`]: 'export const a = 1\n',
  [`${S}/services/account/routes.ts`]: uses('./contract.ts', '../world-section.ts'),
  [`${S}/services/sim/contract.ts`]: uses('./rules.ts', '../account/public.ts'),
  [`${S}/services/sim/rules.ts`]: uses('../../kernel/errors.ts'),
  [`${S}/services/sim/wire.ts`]:
    uses('./rules.ts', './contract.ts', './kind.ts') +
    "import type { B } from '../account/public.ts'\nexport const b: B = 1\n",
  [`${S}/services/sim/kind.ts`]: uses('../context.ts'),
  [`${S}/services/sim/store.ts`]: uses('./rules.ts', '../../storage/sql.ts'),
  [`${S}/services/sim/routes.ts`]: uses(
    './store.ts',
    './wire.ts',
    '../context.ts',
    '../../snapshots/snapshot.ts',
  ),
  [`${S}/http/server.ts`]: uses('ws', '../services/context.ts'),
  [`${S}/jobs/driver.ts`]: uses('../storage/sql.ts'),
  [`${S}/planes/smpp/server.ts`]: uses('../../services/account/public.ts', './codec.ts'),
  [`${S}/planes/smpp/codec.ts`]: uses('../../kernel/ids.ts'),
  'packages/client/src/client.ts': uses('./generated/operations.ts'),
  'packages/client/src/generated/operations.ts': 'export const a = 1\n',
  'packages/client/src/client.test.ts': uses('node:http', './client.ts'),
  'packages/cli/src/kumoi.ts': uses('../../client/src/client.ts', 'node:fs'),
  'packages/console/src/main.ts': uses('../../client/src/client.ts'),
  'acceptance/sim.test.ts': uses('../packages/client/src/client.ts'),
  'tools/check.ts': uses('../packages/server/src/contracts.ts', './lib/a.ts'),
  'tools/lib/a.ts': '',
}

/** For each rule, imports added to files of the clean tree (or new files) that break it. */
const BROKEN: Readonly<Record<string, Tree>> = {
  'kernel-knows-nobody': { [`${S}/kernel/errors.ts`]: uses('../storage/sql.ts') },
  'storage-looks-inward': { [`${S}/storage/sql.ts`]: uses('../services/account/public.ts') },
  'tls-looks-inward': { [`${S}/tls/local-ca.ts`]: uses('../storage/sql.ts') },
  'services-look-inward': { [`${S}/services/sim/routes.ts`]: uses('../../http/server.ts') },
  'shared-service-files-know-no-slice': {
    [`${S}/services/context.ts`]: uses('./account/public.ts'),
  },
  'http-knows-no-slice': { [`${S}/http/server.ts`]: uses('../services/account/public.ts') },
  'http-writes-no-sql': { [`${S}/http/server.ts`]: uses('../storage/sql.ts') },
  'jobs-look-inward': { [`${S}/jobs/driver.ts`]: uses('../planes/smpp/codec.ts') },
  'copies-look-inward': { [`${S}/backup/backup.ts`]: uses('../http/server.ts') },
  'planes-use-public': { [`${S}/planes/smpp/codec.ts`]: uses('../../storage/sql.ts') },
  'settings-know-the-kernel': { [`${S}/settings.ts`]: uses('./storage/sql.ts') },
  'contracts-list-contracts': { [`${S}/contracts.ts`]: uses('./services/sim/routes.ts') },
  'start-belongs-to-the-program': { [`${S}/config.ts`]: uses('./start/ports.ts') },
  'compose-belongs-to-the-program': { [`${S}/http/server.ts`]: uses('../compose.ts') },
  'contract-is-data': { [`${S}/services/sim/contract.ts`]: uses('../../storage/sql.ts') },
  'rules-are-pure': { [`${S}/services/sim/rules.ts`]: uses('../../storage/sql.ts') },
  'wire-translates': { [`${S}/services/sim/wire.ts`]: uses('./store.ts') },
  'wire-takes-types-from-neighbours': {
    [`${S}/services/sim/wire.ts`]: "import { a, type B as C } from '../account/public.ts'\n",
  },
  'store-holds-no-rules': { [`${S}/services/sim/store.ts`]: uses('../account/public.ts') },
  'slices-meet-at-public': { [`${S}/services/sim/routes.ts`]: uses('../account/rules.ts') },
  'only-storage-uses-drivers': { [`${S}/services/sim/store.ts`]: uses('node:sqlite') },
  'client-stands-alone': { 'packages/client/src/client.ts': uses('node:http') },
  'cli-uses-the-client': { 'packages/cli/src/kumoi.ts': uses('../../server/src/kernel/ids.ts') },
  'console-uses-the-client': {
    'packages/console/src/main.ts': uses('../../server/src/kernel/ids.ts'),
  },
  'server-knows-no-client': { [`${S}/http/server.ts`]: uses('../../../client/src/client.ts') },
  'acceptance-is-a-black-box': {
    'acceptance/sim.test.ts': uses('../packages/server/src/main.mjs'),
  },
  'no-circles': { [`${S}/kernel/errors.ts`]: "import type { b } from './ids.ts'\n" },
  'no-unreached-files': { [`${S}/storage/forgotten.ts`]: uses('./sql.ts') },
  'tests-are-not-imported': { [`${S}/start/ports.ts`]: uses('../kernel/ids.test.ts') },
  'no-dev-dependencies': { [`${S}/start/ports.ts`]: uses('fast-check') },
  'no-undeclared-dependencies': { [`${S}/start/ports.ts`]: uses('stray') },
  'no-unresolved-imports': { [`${S}/start/ports.ts`]: uses('./nowhere.ts') },
}

/** Rules of which one seed is not enough, since they name several things. */
const BROKEN_TOO: readonly (readonly [string, Tree])[] = [
  ['jobs-look-inward', { [`${S}/jobs/driver.ts`]: uses('../http/server.ts') }],
  ['http-knows-no-slice', { [`${S}/http/server.ts`]: uses('../services/sim/store.ts') }],
  ['planes-use-public', { [`${S}/planes/files/server.ts`]: uses('../smpp/codec.ts') }],
  ['slices-meet-at-public', { [`${S}/services/account/routes.ts`]: uses('../sim/store.ts') }],
  ['only-storage-uses-drivers', { [`${S}/services/sim/store.ts`]: uses('pg') }],
  ['client-stands-alone', { 'packages/client/src/client.ts': uses('ws') }],
  ['rules-are-pure', { [`${S}/services/sim/ip-rules.ts`]: uses('../account/public.ts') }],
  ['tests-are-not-imported', { [`${S}/start/ports.ts`]: uses('../testing/engines.ts') }],
]

/** Seeds that touch different files are in one tree: to look at one takes a third of a second. */
function sharedTrees(seeds: readonly Tree[]) {
  const trees: Tree[][] = []
  for (const seed of seeds) {
    const touches = (other: Tree) => Object.keys(other).some((file) => Object.hasOwn(seed, file))
    const free = trees.find((holds) => !holds.some(touches))
    if (free === undefined) trees.push([seed])
    else free.push(seed)
  }
  return trees.map((holds) => {
    let checked: Promise<string[]> | undefined
    const problems = () => {
      checked ??= check(grown(Object.assign({}, ...holds)))
      return checked
    }
    return { holds, problems }
  })
}

describe('the rules of .dependency-cruiser.mjs', () => {
  test('are content with a tree that follows the arrows', async () => {
    assert.deepEqual(await check(CLEAN), [])
  })

  test('each say why, and each have a seeded violation here', async () => {
    const { forbidden = [] } = await extractConfig(join(REPOSITORY, '.dependency-cruiser.mjs'))
    assert.deepEqual(forbidden.map(({ name }) => name).sort(), Object.keys(BROKEN).sort())
    for (const { name, comment = '' } of forbidden) assert.ok(comment.length > 20, name)
  })

  const seeds = [...Object.entries(BROKEN), ...BROKEN_TOO]
  const shared = sharedTrees(seeds.map(([, seed]) => seed))
  for (const [rule, seed] of seeds) {
    test(`${rule} reports ${Object.keys(seed).join(', ')}`, async () => {
      const tree = shared.find(({ holds }) => holds.includes(seed))
      const problems = (await tree?.problems()) ?? []
      const file = Object.keys(seed)[0] ?? ''
      assert.ok(
        problems.some((problem) => problem.startsWith(file) && problem.includes(`: ${rule}: `)),
        problems.join('\n'),
      )
    })
  }
})

describe('the guard of tools/deps.ts', () => {
  test('fails when fewer files were looked at than there are on disk', async () => {
    await within(CLEAN, async (root) => {
      const result = await cruiseTree(root)
      const blind = { ...result, modules: result.modules.slice(1) }
      const missed = result.modules[0]?.source
      assert.deepEqual(problemsOf(sourcesOnDisk(root), blind), [
        `${missed}: not-seen: on disk, but dependency-cruiser did not see it`,
      ])
    })
  })

  test('fails when there is nothing to look at', async () => {
    await within(CLEAN, async (root) => {
      assert.match(String(problemsOf([], await cruiseTree(root))), /nothing-seen/)
    })
  })
})

/** The clean tree with each text of the seed put before the text of its file. */
function grown(seed: Tree): Tree {
  const changed = Object.entries(seed).map(([path, text]) => [path, text + (CLEAN[path] ?? '')])
  return { ...CLEAN, ...Object.fromEntries(changed) }
}

function check(tree: Tree): Promise<string[]> {
  return within(tree, async (root) => problemsOf(sourcesOnDisk(root), await cruiseTree(root)))
}

async function within<T>(tree: Tree, work: (root: string) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kumoi-deps-')))
  try {
    for (const [path, text] of Object.entries(tree)) {
      mkdirSync(join(root, dirname(path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return await work(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}
