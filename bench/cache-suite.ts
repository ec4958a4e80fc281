/**
 * Runs the suite http-tests/cache-tests once, against one cache, and prints what passed. A process of its own for each
 * run, since the suite keeps its results in variables of its modules.
 */
import { Agent, type AgentOptions } from 'node:http'
import { pathToFileURL } from 'node:url'

export interface SuiteRun {
  /** Where the package is installed. */
  readonly folder: string
  /** `http://name:port`; whatever the name is, the cache is on this machine. */
  readonly base: string
  /** CDN-Cache-Control in the place of Surrogate-Control, and these tests alone. */
  readonly cdn: boolean
}

export interface SuiteResult {
  readonly id: string
  readonly kind: 'required' | 'optimal' | 'check'
  readonly passes: boolean
  /** Why not. */
  readonly reason: string
}

interface Test {
  readonly id: string
  readonly kind?: SuiteResult['kind']
  readonly browser_only?: boolean
  readonly depends_on?: readonly string[]
}

interface Suite {
  readonly tests: readonly Test[]
}

type Outcome = true | readonly [string, string]

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const results = await runSuite(JSON.parse(process.argv[2] ?? '{}'))
  process.stdout.write(`${JSON.stringify(results)}\n`)
  process.exit(0)
}

async function runSuite({ folder, base, cdn }: SuiteRun): Promise<SuiteResult[]> {
  const load = (path: string) => import(pathToFileURL(`${folder}/${path}`).href)
  const { default: general } = await load('tests/index.mjs')
  const { default: surrogate } = await load('tests/surrogate-control.mjs')
  const { default: nodeFetch } = await load('../node-fetch/lib/index.js')
  const { runTests, getResults } = await load('client/runner.mjs')
  const all: Suite[] = [...general, surrogate]
  const chosen = cdn ? renamed(surrogate, all) : all
  const lookup: AgentOptions['lookup'] = (_name, options, callback) =>
    options.all
      ? callback(null, [{ address: '127.0.0.1', family: 4 }])
      : callback(null, '127.0.0.1', 4)
  const agent = new Agent({ keepAlive: true, lookup })
  const fetch = (url: string, init: object) => nodeFetch(url, { ...init, agent })
  await runTests(chosen, fetch, false, base)
  const outcomes: Record<string, Outcome> = getResults()
  const tests = chosen.flatMap((suite) => suite.tests)
  return tests
    .filter(({ browser_only }) => !browser_only)
    .map((test) => judge(test, tests, outcomes))
}

/** RFC 9213 has the field under another name. The tests that they depend on come along. */
function renamed(surrogate: Suite, all: readonly Suite[]): Suite[] {
  const text = JSON.stringify(surrogate).replaceAll('Surrogate-Control', 'CDN-Cache-Control')
  const { tests }: Suite = JSON.parse(text)
  const needed = new Set(tests.flatMap(({ depends_on = [] }) => depends_on))
  for (const { id } of tests) needed.delete(id)
  const others = all.flatMap((suite) => suite.tests).filter(({ id }) => needed.has(id))
  return [{ tests }, { tests: others.map((test) => ({ ...test, kind: 'check' })) }]
}

/** As lib/display.mjs of the suite does: a test passes only if those pass that it depends on. */
function judge(
  test: Test,
  tests: readonly Test[],
  outcomes: Readonly<Record<string, Outcome>>,
): SuiteResult {
  const { id, kind = 'required', depends_on = [] } = test
  const outcome = outcomes[id]
  const failed = depends_on.find((name) => {
    const other = tests.find((one) => one.id === name)
    return other !== undefined && !judge(other, tests, outcomes).passes
  })
  const passes = outcome === true && failed === undefined
  const own = Array.isArray(outcome) ? outcome.join(': ') : 'not run'
  return { id, kind, passes, reason: passes ? '' : failed ? `depends on ${failed}` : own }
}
