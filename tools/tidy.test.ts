import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slices } from '../packages/server/src/contracts.ts'
import { SETTINGS } from '../packages/server/src/settings.ts'
import { errorsPage } from './generate/errors-page.ts'
import { REPOSITORY } from './lib/program.ts'
import { generatedFindings, settingFindings } from './tidy/documents.ts'
import type { Check } from './tidy/finding.ts'
import { rowFindings } from './tidy/interface-rows.ts'
import { makesNoEntropy, readsNoEnvironment, readsNoTime } from './tidy/ports.ts'
import { FILE_LINES_MAX, FUNCTION_LINES_MAX, functionSizes, sizeFindings } from './tidy/sizes.ts'
import { leavesNoMarkers, MARKERS, namesNoVendor, runsEveryTest, VENDORS } from './tidy/words.ts'
import { filesOf, tidy } from './tidy.ts'

const SERVER = 'packages/server/src'
const FILE = `${SERVER}/services/sim/routes.ts`

/** The check reports each text as it stands, and nothing else. */
function reports(check: Check, path: string, ...seeds: string[]): void {
  for (const seed of seeds) {
    const lines = check(path, `const a = 1\n${seed}\n`).map(({ line }) => line)
    assert.deepEqual(lines, [2], seed)
  }
}

function accepts(check: Check, path: string, ...texts: string[]): void {
  for (const text of texts) assert.deepEqual(check(path, text), [], `${path}: ${text}`)
}

describe('readsNoTime', () => {
  test('reports every way to read the time or to set a timer', () => {
    reports(
      readsNoTime,
      FILE,
      'Date.now()',
      "Date['now']()",
      'globalThis.Date.now()',
      'new Date()',
      'new Date',
      'Date()',
      'performance.now()',
      'setTimeout(() => 1, 2)',
      'globalThis.setInterval(f, 2)',
      'const timer = setInterval',
      'process.hrtime.bigint()',
      "import { setTimeout as sleep } from 'node:timers/promises'",
      "import { performance } from 'perf_hooks'",
      "import { hrtime } from 'node:process'",
    )
  })

  test('accepts dates that are given, timers of sockets, and what comments say', () => {
    accepts(
      readsNoTime,
      FILE,
      'new Date(0)',
      'clock.now()',
      'socket.setTimeout(5)',
      'process.uptime()',
      '// Date.now() and setTimeout',
      "import { now } from './clock.ts'",
    )
  })

  test('accepts anything in the clock, in tests and in other packages', () => {
    const elsewhere = [
      `${SERVER}/kernel/clock.ts`,
      `${SERVER}/a.test.ts`,
      'packages/console/src/a.ts',
    ]
    for (const path of elsewhere) accepts(readsNoTime, path, 'Date.now()')
  })
})

describe('makesNoEntropy', () => {
  test('reports every way to random bytes', () => {
    reports(
      makesNoEntropy,
      FILE,
      'Math.random()',
      "import { createHash, randomBytes } from 'node:crypto'",
      "import { randomUUID as id } from 'crypto'",
      "import { randomInt } from 'node:crypto'",
      'crypto.getRandomValues(bytes)',
      'crypto.randomUUID()',
      'globalThis.crypto.randomUUID()',
    )
    const whole = "import * as c from 'node:crypto'\nc.randomBytes(3)\n"
    assert.deepEqual(
      makesNoEntropy(FILE, whole).map(({ line, message }) => `${line} ${message}`),
      ['2 c.randomBytes: random bytes come from kernel/random.ts alone'],
    )
  })

  test('accepts a port of that name, other cryptography, and the kernel’s own', () => {
    accepts(
      makesNoEntropy,
      FILE,
      'options.randomBytes(8)',
      'const made = { randomBytes: (n: number) => random.bytes(n) }',
      "import { createHash, type randomBytes } from 'node:crypto'",
      "import { randomHex } from '../../kernel/random.ts'",
    )
    accepts(
      makesNoEntropy,
      `${SERVER}/kernel/random.ts`,
      "import { randomBytes } from 'node:crypto'",
    )
  })
})

describe('readsNoEnvironment', () => {
  test('reports process.env and its import', () => {
    reports(
      readsNoEnvironment,
      FILE,
      'process.env.HOME',
      "process['env']",
      "import { env } from 'node:process'",
    )
  })

  test('accepts it where settings are read, in tests, and other members', () => {
    accepts(readsNoEnvironment, `${SERVER}/start/program.ts`, 'process.env')
    accepts(readsNoEnvironment, `${SERVER}/a.test.ts`, 'process.env.TZ')
    accepts(readsNoEnvironment, FILE, 'process.argv', 'config.env')
  })
})

describe('sizeFindings', () => {
  const none = { path: 'list.json', text: '[]' }
  const lines = (count: number) => 'a()\n'.repeat(count)
  const long = (name: string, count: number) => `function ${name}() {\n${lines(count - 2)}}\n`
  const check = (text: string, list: readonly object[] = [], path = 'a.ts') =>
    sizeFindings([{ path, text }], { path: 'list.json', text: JSON.stringify(list) }).map(
      ({ path: at, line, message }) => `${at}:${line}: ${message}`,
    )

  test('reports a file that is too long, and accepts one that just fits', () => {
    assert.deepEqual(check(lines(FILE_LINES_MAX)), [])
    assert.match(String(check(lines(FILE_LINES_MAX + 1))), /^a\.ts:1: the file has 400 lines/)
    assert.deepEqual(check(lines(500), [], 'packages/client/src/generated/a.ts'), [])
    assert.deepEqual(sizeFindings([{ path: 'a.md', text: lines(500) }], none), [])
  })

  test('reports a function that is too long by its name, and accepts one that just fits', () => {
    assert.deepEqual(check(long('f', FUNCTION_LINES_MAX)), [])
    assert.match(
      String(check(`\n${long('f', FUNCTION_LINES_MAX + 1)}`)),
      /^a\.ts:2: the function f has 61 lines/,
    )
  })

  test('measures every kind of function and names it', () => {
    const text =
      'class A { constructor() {} b() {} get c() { return 1 } }\nconst d = () => 1\n' +
      'const o = { e: function () {} }\nf(() => 1)\n' +
      'export function g(): void\nexport function g() {}\n'
    assert.deepEqual(
      functionSizes('a.ts', text).map((size) => size.function),
      ['A.constructor', 'A.b', 'A.c', 'd', 'e', '(given to f)', 'g'],
    )
  })

  test('does not count the blocks of a test, but the functions in them', () => {
    const block = (name: string) => `${name}('a', () => {\n${long('f', 61)}})\n`
    assert.equal(check(block('describe'), [], 'a.test.ts').length, 1)
    assert.equal(check(block('describe'), [], 'a.ts').length, 2)
    assert.equal(check(block('test'), [], 'a.test.ts').length, 1)
    assert.equal(check(block('other'), [], 'a.test.ts').length, 2)
  })

  test('counts the members of an object of handlers instead of the function around it', () => {
    const members = (body: string) => `a() {},\n...b,\nc: () => 1,\n${body}`
    const handlers = (start: string, body: string) =>
      `function h(parts) {\n${start}return {\n${members(body)}}\n}\n`
    const filler = 'd() {},\n'.repeat(60)
    assert.deepEqual(check(handlers('', filler)), [])
    assert.deepEqual(check(handlers('const { x } = parts\n', filler)), [])
    assert.deepEqual(check(`const h = () => ({\n${members(filler)}})\n`), [])
    assert.match(String(check(handlers('', `e() {\n${lines(60)}}\n`))), /function e has 62 lines/)
    assert.match(String(check(handlers('work()\n', filler))), /function h has/)
    assert.match(String(check(handlers('', `x: 1,\n${filler}`))), /function h has/)
  })

  test('accepts an exception of exactly its size, and no other', () => {
    const entry = (size: number) => [{ file: 'a.ts', function: 'f', lines: size }]
    assert.deepEqual(check(long('f', 70), entry(70)), [])
    assert.match(String(check(long('f', 71), entry(70))), /has 71 lines.*grown from the 70/)
    assert.match(String(check(long('f', 65), entry(70))), /shrunk to 65 lines/)
    assert.deepEqual(check(long('f', 60), entry(70)), [
      'list.json:1: a.ts f is no longer too long: remove its entry',
    ])
    assert.deepEqual(check(lines(450), [{ file: 'a.ts', lines: 450 }]), [])
  })
})

describe('leavesNoMarkers', () => {
  test('reports each marker as a word of its own, in code and in documents', () => {
    for (const word of MARKERS) {
      reports(leavesNoMarkers, FILE, `// ${word}: later`)
      reports(leavesNoMarkers, 'docs/a.md', `(${word})`)
    }
  })

  test('accepts longer words, other cases and other files', () => {
    for (const word of MARKERS) {
      accepts(leavesNoMarkers, FILE, `${word}S`, `A${word}`, word.toLowerCase())
      accepts(leavesNoMarkers, 'a.json', word)
    }
  })
})

describe('namesNoVendor', () => {
  test('reports each word, in any case and as part of a name', () => {
    for (const word of VENDORS) {
      reports(namesNoVendor, FILE, `'${word}'`, `const ${word}Config = 1`, word.toUpperCase())
    }
  })

  test('accepts them in profiles, in their tests and in documents', () => {
    for (const word of VENDORS) {
      accepts(namesNoVendor, 'packages/server/profiles/one.json', word)
      accepts(namesNoVendor, `acceptance/${word}.test.ts`, word)
      accepts(namesNoVendor, 'docs/a.md', word)
    }
  })
})

describe('runsEveryTest', () => {
  test('reports tests that are switched off or switch off the others', () => {
    const on = (word: string) => [`test.${word}('a')`, `test('a', { ${word}: true }, f)`]
    reports(runsEveryTest, 'a.test.ts', ...['only', 'skip', 'todo'].flatMap(on))
    reports(runsEveryTest, 'a.test.ts', `test('a', { ${'skip'}: 'not now' }, f)`)
  })

  test('accepts a condition, and anything that is no test', () => {
    accepts(runsEveryTest, 'a.test.ts', "test('a', { skip: !hasCurl }, f)", 'skipped(1)')
    accepts(runsEveryTest, 'a.ts', `iterator.${'skip'}(1)`)
  })
})

describe('settingFindings', () => {
  const check = (text: string | undefined) =>
    settingFindings('docs/operating.md', text, ['port', 'http-port']).map(({ message }) => message)

  test('reports each setting whose flag is not there as a word of its own', () => {
    assert.deepEqual(check('`--http-port` and `--ports`'), ['the setting --port is not documented'])
    assert.deepEqual(check(undefined), ['the file is missing'])
  })

  test('accepts a document that has all of them', () => {
    assert.deepEqual(check('| `--port` | … |\n| `--http-port PORT` | … |'), [])
  })
})

describe('generatedFindings', () => {
  const wanted = errorsPage(slices)

  test('reports an operation or a refusal that is missing or too many, at its line', () => {
    const line = wanted.split('\n').indexOf('#### authStatus') + 1
    const without = wanted.replace('#### authStatus\n', '')
    assert.equal(generatedFindings('e.md', without, wanted)[0]?.line, line)
    const refusal = '| conflict | 409 | more |\n'
    const end = wanted.split('\n').length
    assert.equal(generatedFindings('e.md', `${wanted}${refusal}`, wanted)[0]?.line, end)
    assert.equal(generatedFindings('e.md', undefined, wanted).length, 1)
  })

  test('accepts the document as it is generated', () => {
    assert.deepEqual(generatedFindings('e.md', wanted, wanted), [])
  })
})

describe('rowFindings', () => {
  const row = (id: string, status: string) => ({ id, text: 'a row', status })
  const check = (rows: readonly object[], text: string, path = 'packages/a/src/a.test.ts') =>
    rowFindings({ path: 'rows.json', text: JSON.stringify(rows, null, 1) }, [{ path, text }]).map(
      (finding) => `${finding.path}:${finding.line}: ${finding.message}`,
    )

  test('reports a built row that no test cites', () => {
    const built = [row('LIMIT-01', 'open'), row('STATE-SIM-01', 'built')]
    const message = 'rows.json:8: STATE-SIM-01 is built, but no test cites it: a row'
    assert.deepEqual(check(built, 'STATE-SIM-010 and ASTATE-SIM-01'), [
      message,
      'packages/a/src/a.test.ts:1: STATE-SIM-010 is no row of the interface',
    ])
    assert.deepEqual(check(built, 'STATE-SIM-01', 'packages/a/src/a.ts'), [message])
    assert.deepEqual(check(built, 'STATE-SIM-01', 'tools/a.test.ts'), [message])
  })

  test('reports an unknown row that is cited, a double one and one without a proper state', () => {
    assert.deepEqual(check([], '\nERROR-SIM-IP-09'), [
      'packages/a/src/a.test.ts:2: ERROR-SIM-IP-09 is no row of the interface',
    ])
    const twice = [row('LIMIT-01', 'open'), row('LIMIT-01', 'open')]
    assert.match(String(check(twice, '')), /twice/)
    assert.match(String(check([row('LIMIT-01', 'done')], '')), /neither open nor built/)
    assert.match(String(check([row('limit 1', 'open')], '')), /not of the form/)
  })

  test('accepts open rows, and built ones that are cited', () => {
    const rows = [row('LIMIT-01', 'open'), row('STATE-SIM-01', 'built')]
    assert.deepEqual(check(rows, "test('registers a SIM (STATE-SIM-01)')"), [])
  })
})

describe('tidy', () => {
  const files = filesOf(REPOSITORY)

  test('looks at the files of the repository, itself included, and at nothing installed', () => {
    const paths = files.map(({ path }) => path)
    assert.ok(paths.includes('tools/tidy.ts') && paths.includes(`${SERVER}/main.ts`))
    assert.ok(!paths.some((path) => path.includes('node_modules')))
  })

  test('brings what each check finds', () => {
    const path = `${SERVER}/seeded.ts`
    const text = `Date.now(process.env, Math.random()) // ${MARKERS[0]} ${VENDORS[0]}\n`
    const seeded = { path, text: `${text}function f() {\n${'a()\n'.repeat(60)}}\n` }
    const switched = { path: `${SERVER}/seeded.test.ts`, text: `test.${'only'}() // LIMIT-99` }
    const kept = files.filter(({ path }) => !path.startsWith('docs/'))
    const found = tidy([...kept, seeded, switched])
    const count = (at: string) => found.filter((finding) => finding.path === at).length
    assert.equal(count(seeded.path), 6)
    assert.equal(count(switched.path), 2)
    assert.equal(count('docs/operating.md'), 1)
    assert.equal(count('docs/errors.md'), 1)
    assert.ok(Object.keys(SETTINGS).length > 0)
  })
})
