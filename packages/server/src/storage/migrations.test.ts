import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from './migrate.ts'

/** The last one of the first release: from then on servers of two releases share a database. */
const FIRST_RELEASE = 130

/** What takes away from, or asks more of, those who know the schema of before. */
const CONTRACTS =
  /\bDROP\b|\bRENAME\b|\bALTER COLUMN\b|\bADD CONSTRAINT\b|ADD COLUMN (?![^;]*\bDEFAULT\b)[^,;]*\bNOT NULL\b/i

test('migrations only add, unless their names say that they contract', () => {
  const later = (['sqlite', 'postgres'] as const)
    .flatMap((engine) => readMigrations(engine))
    .filter(({ version }) => version > FIRST_RELEASE)
  assert.ok(later.length > 0)
  for (const { name, statements } of later) {
    const contracting = statements.filter((one) => CONTRACTS.test(one) || isUnique(one, statements))
    if (name.includes('.contract.')) assert.notEqual(contracting.length, 0, name)
    else assert.deepEqual(contracting, [], name)
  }
})

/** On a table that was there before, whose rows and writers know nothing of it. */
function isUnique(statement: string, statements: readonly string[]): boolean {
  const [, table] = /^CREATE UNIQUE INDEX \w+ ON (\w+)/i.exec(statement) ?? []
  const isNew = (one: string) => new RegExp(`^CREATE TABLE ${table}\\b`, 'i').test(one)
  return table !== undefined && !statements.some(isNew)
}

test('the check knows what contracts', () => {
  const unique = 'CREATE UNIQUE INDEX a_b ON a (b)'
  assert.ok(isUnique(unique, [unique]))
  assert.ok(!isUnique(unique, ['CREATE TABLE a (b TEXT)', unique]))
  for (const statement of [
    'DROP TABLE a',
    'ALTER TABLE a DROP COLUMN b',
    'ALTER TABLE a RENAME TO b',
    'ALTER TABLE a ALTER COLUMN b SET NOT NULL',
    'ALTER TABLE a ADD COLUMN b TEXT NOT NULL',
    'ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0)',
  ]) {
    assert.match(statement, CONTRACTS)
  }
  assert.doesNotMatch("ALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT ''", CONTRACTS)
  assert.doesNotMatch('ALTER TABLE a ADD COLUMN b TEXT', CONTRACTS)
})
