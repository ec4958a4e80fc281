import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuditEntry } from '../../kernel/audit-entry.ts'
import { type ChainedEntry, chain, type Link, ORIGIN, Verification } from './rules.ts'

const entry = (n: number): AuditEntry & { readonly id: number } => ({
  ...{ id: n, at: new Date(n), caller: 'operator', account: 'acme', address: '192.0.2.1' },
  ...{ client: undefined, operation: 'itemCreate', target: { id: String(n) }, status: 201 },
  ...{ code: undefined, serial: String(n) },
})

const rows = chain(ORIGIN, [1, 2, 3, 4, 5].map(entry))
const last = rows.at(-1)?.link ?? ORIGIN

function problemOf(given: readonly ChainedEntry[], before: Link = ORIGIN, end: Link = last) {
  const verification = new Verification(before)
  for (const one of given) if (!verification.check(one)) break
  verification.end(end)
  return verification.problem
}

describe('the chain', () => {
  test('holds for what was chained, in one batch or in several', () => {
    assert.equal(problemOf(rows), undefined)
    const [first = ORIGIN, second = ORIGIN] = rows.map(({ link }) => link)
    assert.deepEqual(chain(second, [3, 4, 5].map(entry)), rows.slice(2))
    assert.equal(problemOf(rows.slice(1), first), undefined)
    assert.equal(problemOf([], ORIGIN, ORIGIN), undefined)
  })

  test('names a row of which anything was changed', () => {
    const changes: Partial<ChainedEntry>[] = [
      ...[{ at: new Date(9) }, { caller: 'key abc…' }, { account: undefined }, { status: 200 }],
      ...[{ address: '192.0.2.2' }, { client: 'cli' }, { operation: 'itemDelete' }],
      ...[{ target: { id: '4' } }, { code: 'conflict' }, { serial: 'x' }],
    ]
    for (const change of changes) {
      const changed = rows.map((row) => (row.link.number === 3 ? { ...row, ...change } : row))
      assert.deepEqual(problemOf(changed), { number: 3, kind: 'changed' }, JSON.stringify(change))
    }
  })

  test('names the first of rows that are missing: at the beginning, between, at the end', () => {
    assert.deepEqual(problemOf(rows.slice(1)), { number: 1, kind: 'missing' })
    assert.deepEqual(problemOf(rows.toSpliced(2, 2)), { number: 3, kind: 'missing' })
    assert.deepEqual(problemOf(rows.slice(0, 3)), { number: 4, kind: 'missing' })
  })

  test('finds rows that were swapped, and rows that were put in', () => {
    const numbers = rows.map(({ link }) => link)
    const contents = rows.toSpliced(1, 2, ...rows.slice(1, 3).reverse())
    const swapped = contents.map((row, index) => ({ ...row, link: numbers[index] ?? ORIGIN }))
    assert.deepEqual(problemOf(swapped), { number: 2, kind: 'changed' })
    const more = chain(last, [6].map(entry))
    assert.deepEqual(problemOf([...rows, ...more]), { number: 6, kind: 'changed' })
  })

  test('finds a chain that was made anew, by its end that somebody has kept', () => {
    const forged = chain(ORIGIN, [1, 2, 9, 4, 5].map(entry))
    assert.equal(problemOf(forged, ORIGIN, forged.at(-1)?.link), undefined)
    assert.deepEqual(problemOf(forged), { number: 5, kind: 'changed' })
  })
})
