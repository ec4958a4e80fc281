import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaningOf, PAGE_KEYS, type Pressed, type Situation } from './shortcuts.ts'

const pressed = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false },
  ...more,
})
const IDLE: Situation = { isTyping: false, hasDialog: false, isGoing: false }

test('g and a letter open a page, the letter alone does not', () => {
  assert.deepEqual(meaningOf(pressed('g'), IDLE), { does: 'wait' })
  assert.deepEqual(meaningOf(pressed('s'), { ...IDLE, isGoing: true }), {
    ...{ does: 'open', path: '/sims' },
  })
  assert.deepEqual(meaningOf(pressed('s'), IDLE), { does: 'nothing' })
  assert.deepEqual(meaningOf(pressed('g'), { ...IDLE, isGoing: true }), {
    ...{ does: 'open', path: '/gateways' },
  })
})

test('a slash searches and a question mark helps', () => {
  assert.deepEqual(meaningOf(pressed('/'), IDLE), { does: 'search' })
  assert.deepEqual(meaningOf(pressed('?'), IDLE), { does: 'help' })
})

test('what is typed stays text, and the palette opens from there all the same', () => {
  const typing = { ...IDLE, isTyping: true }
  for (const key of ['/', '?', 'g']) {
    assert.deepEqual(meaningOf(pressed(key), typing), { does: 'nothing' })
  }
  assert.deepEqual(meaningOf(pressed('k', { ctrlKey: true }), typing), { does: 'palette' })
  assert.deepEqual(meaningOf(pressed('K', { metaKey: true }), typing), { does: 'palette' })
})

test('the browser keeps its own keys, and a dialog all of them', () => {
  assert.deepEqual(meaningOf(pressed('g', { ctrlKey: true }), IDLE), { does: 'nothing' })
  assert.deepEqual(meaningOf(pressed('k', { ctrlKey: true, altKey: true }), IDLE), {
    does: 'nothing',
  })
  const inDialog = { ...IDLE, hasDialog: true }
  assert.deepEqual(meaningOf(pressed('k', { ctrlKey: true }), inDialog), { does: 'nothing' })
})

test('no two keys open the same page', () => {
  const paths = Object.values(PAGE_KEYS)
  assert.equal(new Set(paths).size, paths.length)
})
