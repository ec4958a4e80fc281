/**
 * The arrows of ARCHITECTURE.md as a check: main → compose → { http, planes, jobs } → services →
 * storage → kernel, slices that meet only at `public.ts`, and packages that know the server through
 * its interface alone. `npm run deps` runs it; tools/deps.test.ts breaks each rule once.
 */

const SERVER = '^packages/server/src/'
const SLICE = `${SERVER}services/([^/]+)/`
const ANY_PUBLIC = `${SERVER}services/[^/]+/public\\.ts$`
const KERNEL = `${SERVER}kernel/`
const STORAGE = `${SERVER}storage/`

/** Tests and what only they use. They may reach into layers; the layers may not reach back. */
const TESTS = ['\\.test\\.tsx?$', '/testing/', '^(acceptance|prove)/']

/** What tests import of the published package: the server's entry point for them. */
const PUBLISHED = '^packages/cli/src/testing\\.ts$'

/** Where a run, a build or a reader of the published packages begins. */
const ENTRIES = [
  '^packages/server/src/(main\\.mjs|storage/sqlite/reader-thread-worker\\.ts)$',
  '^packages/server/src/start/testing\\.ts$',
  '^packages/client/src/public\\.ts$',
  '^packages/cli/src/(kumoi|main|testing)\\.ts$',
  '^packages/console/src/main\\.tsx?$',
  '^(tools|bench)/[^/]+\\.ts$',
]

/** A file of a slice by its role; one with several nouns writes `<noun>-<role>.ts`. Types are as pure as rules. */
const role = (names) => `[^/]*\\b(${names.replace('rules', 'rules|types')})\\.ts$`

/** `path` may import, of what is ours, nothing but `allowed`; npm has rules of its own. */
const onlyInward = (name, comment, path, allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path, pathNot: TESTS },
  to: { path: '^(packages|tools|bench|prove|acceptance)/', pathNot: allowed },
})

const layers = [
  onlyInward(
    'kernel-knows-nobody',
    'The kernel is the vocabulary that all layers share; if it knew one of them, all would.',
    KERNEL,
    [KERNEL],
  ),
  onlyInward(
    'storage-looks-inward',
    'Storage carries statements and knows no slice, so that one implementation serves all of them.',
    STORAGE,
    [STORAGE, KERNEL],
  ),
  onlyInward(
    'tls-looks-inward',
    'Certificates are read and created before anything listens; whoever listens is handed them.',
    `${SERVER}tls/`,
    [`${SERVER}tls/`, KERNEL],
  ),
  onlyInward(
    'services-look-inward',
    'The edges reach a slice and it never reaches out to them: it must run without them in a test.',
    `${SERVER}services/`,
    [
      KERNEL,
      `${SERVER}(storage|snapshots)/`,
      `${SERVER}services/[^/]+/`,
      `${SERVER}services/(context|demo|families|module|world-section)\\.ts$`,
    ],
  ),
  onlyInward(
    'shared-service-files-know-no-slice',
    'What every slice imports would tie all of them together if it imported one.',
    `${SERVER}services/[^/]+\\.ts$`,
    [KERNEL, STORAGE, `${SERVER}services/[^/]+\\.ts$`],
  ),
  onlyInward(
    'http-knows-no-slice',
    'What the HTTP server needs of a slice comes through ports of its own, which compose.ts fills.',
    `${SERVER}http/`,
    [`${SERVER}http/`, KERNEL, STORAGE, `${SERVER}services/context\\.ts$`],
  ),
  {
    name: 'http-writes-no-sql',
    comment: 'Statements belong to the store of the slice that owns the table.',
    severity: 'error',
    from: { path: `${SERVER}http/`, pathNot: TESTS },
    to: { path: `${STORAGE}sql\\.ts$` },
  },
  onlyInward(
    'jobs-look-inward',
    'Edges are joined by compose.ts, not by each other, so that each can be left out or replaced.',
    `${SERVER}jobs/`,
    [`${SERVER}jobs/`, KERNEL, STORAGE, ANY_PUBLIC, `${SERVER}services/context\\.ts$`],
  ),
  onlyInward(
    'copies-look-inward',
    'Backups and snapshots copy what storage holds: they need no request, job or handler.',
    `${SERVER}(backup|snapshots)/`,
    [`${SERVER}$1/`, KERNEL, STORAGE, ANY_PUBLIC],
  ),
  onlyInward(
    'planes-use-public',
    'A plane speaks another protocol and is handed functions: no transaction, store or neighbour.',
    `${SERVER}planes/([^/]+)/`,
    [`${SERVER}planes/$1/`, KERNEL, ANY_PUBLIC],
  ),
  onlyInward(
    'settings-know-the-kernel',
    'Settings are read before anything exists and passed on; they can need no part of the server.',
    `${SERVER}(config|setting)[^/]*\\.ts$`,
    [`${SERVER}(config|setting)[^/]*\\.ts$`, KERNEL],
  ),
  onlyInward(
    'contracts-list-contracts',
    'Generators, client and walks read contracts.ts; it must load without handlers or stores.',
    `${SERVER}contracts\\.ts$`,
    [KERNEL, `${SERVER}services/families\\.ts$`, `${SERVER}services/[^/]+/${role('contract')}`],
  ),
  {
    name: 'start-belongs-to-the-program',
    comment:
      'Reading the disk, the environment and the signals is for the one who starts the program.',
    severity: 'error',
    from: {
      pathNot: [`${SERVER}main\\.mjs$`, `${SERVER}start/`, '^(bench|tools)/', PUBLISHED, ...TESTS],
    },
    to: { path: `${SERVER}start/` },
  },
  {
    name: 'compose-belongs-to-the-program',
    comment: 'compose.ts knows all parts; a part that knew it would know all the others.',
    severity: 'error',
    from: { pathNot: [`${SERVER}main\\.mjs$`, `${SERVER}start/`, ...TESTS] },
    to: { path: `${SERVER}(compose\\.ts|main\\.mjs)$` },
  },
]

const slices = [
  onlyInward(
    'contract-is-data',
    'Generators read contracts: the kernel, own limits and what a neighbour publishes is enough.',
    `${SLICE}${role('contract')}`,
    [KERNEL, `${SERVER}services/$1/${role('rules|contract')}`, ANY_PUBLIC],
  ),
  onlyInward(
    'rules-are-pure',
    'Rules are (state, input, now) → state; with a store or a neighbour no test runs them alone.',
    `${SLICE}${role('rules')}`,
    [KERNEL, `${SERVER}services/$1/${role('rules|contract')}`],
  ),
  {
    name: 'wire-translates',
    comment:
      'Wire files turn our values into the interface’s; of neighbours they need types alone.',
    severity: 'error',
    from: { path: `${SLICE}${role('wire')}`, pathNot: TESTS },
    to: {
      path: SERVER,
      pathNot: [KERNEL, `${SERVER}services/$1/${role('rules|contract|wire|kind')}`, ANY_PUBLIC],
    },
  },
  {
    name: 'wire-takes-types-from-neighbours',
    comment: 'A wire file that runs a neighbour’s code is a handler in disguise.',
    severity: 'error',
    from: { path: `${SLICE}${role('wire')}`, pathNot: TESTS },
    to: {
      path: ANY_PUBLIC,
      pathNot: `${SERVER}services/$1/`,
      dependencyTypesNot: ['type-only'],
    },
  },
  onlyInward(
    'store-holds-no-rules',
    'Stores hold rows: storage, kernel and the shapes of their own slice, so no rule hides there.',
    `${SLICE}${role('store')}`,
    [STORAGE, KERNEL, `${SERVER}services/$1/${role('rules|store')}`],
  ),
  {
    name: 'slices-meet-at-public',
    comment: 'What a slice offers is the short list in its public.ts; the rest is free to change.',
    severity: 'error',
    from: { path: SLICE, pathNot: TESTS },
    to: { path: SLICE, pathNot: [`${SERVER}services/$1/`, ANY_PUBLIC] },
  },
]

const packages = [
  {
    name: 'only-storage-uses-drivers',
    comment:
      'Both engines stay behind one interface, or the stores would grow a second implementation.',
    severity: 'error',
    from: { path: '^packages/', pathNot: [STORAGE, ...TESTS] },
    to: { path: ['^(node:)?sqlite$', 'node_modules/pg/'] },
  },
  {
    name: 'client-stands-alone',
    comment:
      'The client is published without dependencies and runs in a browser as well as in Node.',
    severity: 'error',
    from: { path: '^packages/client/src/', pathNot: TESTS },
    to: { pathNot: '^packages/client/src/' },
  },
  {
    name: 'cli-uses-the-client',
    comment: 'The command line has no way in of its own: what it can do, the interface can do.',
    severity: 'error',
    from: { path: '^packages/cli/', pathNot: PUBLISHED },
    to: { path: '^(packages/(server|console)|tools|bench|prove|acceptance)/' },
  },
  {
    name: 'console-uses-the-client',
    comment: 'The console has no privilege of its own: it is one more client.',
    severity: 'error',
    from: { path: '^packages/console/' },
    to: { path: '^(packages/(server|cli)|tools|bench|prove|acceptance)/' },
  },
  {
    name: 'server-knows-no-client',
    comment: 'The server is generated from by the client, never the other way round.',
    severity: 'error',
    from: { path: '^packages/server/' },
    to: { path: '^(packages/(client|cli|console)|tools|bench|prove|acceptance)/' },
  },
  {
    name: 'acceptance-is-a-black-box',
    comment:
      'Acceptance tests speak HTTPS through the client or fetch, as any user of the server would.',
    severity: 'error',
    // The code of a user, who imports what is published.
    from: { path: '^acceptance/', pathNot: '^acceptance/consumer/' },
    to: { path: '^packages/(server|cli|console)/' },
  },
]

const hygiene = [
  {
    name: 'no-circles',
    comment: 'Files in a circle can be neither read nor tested nor moved one by one.',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unreached-files',
    comment: 'A source file that no entry point reaches is dead, or was never wired in.',
    severity: 'error',
    from: { path: ENTRIES },
    to: {
      path: '^(packages/[^/]+/src|tools|bench)/.*\\.tsx?$',
      // A declaration of types is the compiler's, and nobody imports it.
      pathNot: [...TESTS, ...ENTRIES, '\\.d\\.ts$'],
      reachable: false,
    },
  },
  {
    name: 'tests-are-not-imported',
    comment: 'Code that runs in production must not depend on what only exists for tests.',
    severity: 'error',
    from: { path: '^packages/', pathNot: TESTS },
    to: { path: TESTS },
  },
  {
    name: 'no-dev-dependencies',
    comment:
      'What is published must find what it imports: a development dependency is not installed.',
    severity: 'error',
    // The console is published as its build, which holds what it imports.
    from: { path: '^packages/[^/]+/src/', pathNot: [...TESTS, '^packages/console/'] },
    // A type is gone when the code runs.
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'no-undeclared-dependencies',
    comment: 'A package that its own package.json does not name is there by the luck of another.',
    severity: 'error',
    from: { path: '^packages/[^/]+/src/', pathNot: TESTS },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolved-imports',
    comment: 'The rules look at files; an import that leads to none escapes all of them.',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
]

/** @type {import('dependency-cruiser').IConfiguration} */
// biome-ignore lint/style/noDefaultExport: dependency-cruiser reads the default export.
export default {
  forbidden: [...layers, ...slices, ...packages, ...hygiene],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Imports that are types alone are arrows, too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
