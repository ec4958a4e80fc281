import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from './sql.ts'
import { kindOf } from './statement-kind.ts'

const kind = (text: string) => kindOf(raw(text)).kind

test('a statement only looks when nothing in it does more', () => {
  assert.equal(kind('SELECT a FROM b WHERE c = 1'), 'read')
  assert.equal(kind('select a from b order by c limit 1'), 'read')
  for (const more of [
    'SELECT a FROM b FOR UPDATE SKIP LOCKED',
    "SELECT nextval('a')",
    "SELECT setval('a', 1)",
    'SELECT pg_advisory_lock(1)',
    'SELECT a INTO b FROM c',
    'WITH a AS (DELETE FROM b RETURNING c) SELECT c FROM a',
    'LOCK TABLE a',
  ]) {
    assert.equal(kind(more), 'other', more)
  }
})

test('only an insert of one row is known to change one row', () => {
  const one = 'INSERT INTO a (b, c) VALUES (1, 2)'
  for (const tail of [
    '',
    'ON CONFLICT DO NOTHING',
    'ON CONFLICT (b) DO UPDATE SET c = a.c + excluded.c',
  ]) {
    assert.equal(kind(`${one} ${tail}`), 'insert', tail)
    assert.equal(kindOf(raw(`${one} ${tail}`)).isNew, !tail.includes('UPDATE'), tail)
  }
  for (const other of [
    `${one} RETURNING b`,
    `${one}, (3, 4)`,
    `${one} ON CONFLICT (b) DO UPDATE SET c = 1 WHERE a.c > 1`,
    'INSERT INTO a (b) SELECT c FROM d',
    'UPDATE a SET b = 1',
    'DELETE FROM a',
  ]) {
    assert.equal(kind(other), 'other', other)
  }
})

test('the changed table is known by its name', () => {
  for (const text of ['INSERT INTO "a" (b) VALUES (1)', 'UPDATE a SET b = 1', 'DELETE FROM A']) {
    assert.equal(kindOf(raw(text)).table, 'a', text)
  }
  assert.ok(kindOf(raw('SELECT b FROM a JOIN Other ON true')).words.has('other'))
})
