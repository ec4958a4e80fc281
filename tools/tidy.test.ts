import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slices } from '../packages/server/src/contracts.ts'
import { SETTINGS } from '../packages/server/src/settings.ts'
import { errorsPage } from './generate/errors-page.ts'
import { REPOSITORY } from './lib/program.ts'
import { generatedFindings, settingFindings } from './tidy/documents.ts'
import type { Check } from './tidy/finding.ts'
import { rowFindings } from './tidy/interface-rows.ts'
import { lockFindings } from './tidy/lock-file.ts'
import { leavesNoMarkers, MARKERS, namesNoVendor, VENDORS } from './tidy/words.ts'
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
    assert.ok(paths.includes('tools/tidy.ts') && paths.includes(`${SERVER}/compose.ts`))
    assert.ok(!paths.some((path) => path.includes('node_modules')))
  })

  test('brings what each check finds', () => {
    const seeded = { path: `${SERVER}/seeded.ts`, text: `// ${MARKERS[0]}\n// ${VENDORS[0]}\n` }
    const citing = { path: `${SERVER}/seeded.test.ts`, text: '// LIMIT-99' }
    const kept = files.filter(({ path }) => !path.startsWith('docs/'))
    const found = tidy([...kept, seeded, citing])
    const count = (at: string) => found.filter((finding) => finding.path === at).length
    assert.equal(count(seeded.path), 2)
    assert.equal(count(citing.path), 1)
    assert.equal(count('docs/operating.md'), 1)
    assert.equal(count('docs/errors.md'), 1)
    assert.ok(Object.keys(SETTINGS).length > 0)
  })
})

describe('lockFindings', () => {
  const found = (name: string, locked: object) =>
    lockFindings('package-lock.json', JSON.stringify({ packages: { [name]: locked } })).map(
      ({ message }) => message,
    )
  const integrity = 'sha512-AAAA'

  test('accepts hashes of SHA-512 and links to packages of this repository', () => {
    assert.deepEqual(found('node_modules/a', { version: '1.0.0', integrity }), [])
    assert.deepEqual(found('node_modules/a', { link: true, resolved: 'packages/a' }), [])
    assert.deepEqual(found('packages/a', { version: '1.0.0' }), [])
  })

  test('reports what comes from elsewhere, what has no hash, and what runs a script', () => {
    const resolved = 'git+ssh://git@example.jp/a.git#0123456'
    assert.match(`${found('node_modules/a', { resolved, integrity })}`, /an address of its own/)
    assert.match(`${found('node_modules/a', { link: true, resolved: '../a' })}`, /another place/)
    assert.match(`${found('node_modules/a', { version: '1.0.0' })}`, /no SHA-512/)
    assert.match(`${found('node_modules/a', { integrity: 'sha1-AAAA' })}`, /no SHA-512/)
    assert.match(`${found('node_modules/a', { integrity, hasInstallScript: true })}`, /a script/)
  })
})
