import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { wait } from './wait.ts'

/** What a browser has and Node has not. */
const page = { hidden: false }

describe('wait', () => {
  before(() => Object.assign(globalThis, { document: page }))
  after(() => Reflect.deleteProperty(globalThis, 'document'))

  test('leaves no listener behind, however often a page polls', async () => {
    const { signal } = new AbortController()
    for (let round = 0; round < 20; round += 1) await wait(0, signal)
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  test('ends at once when the page is left, and when it was left before', async () => {
    const leaving = new AbortController()
    const waiting = wait(3_600_000, leaving.signal)
    leaving.abort()
    await waiting
    await wait(3_600_000, leaving.signal)
    assert.equal(getEventListeners(leaving.signal, 'abort').length, 0)
  })

  test('goes on waiting while the tab is hidden, and ends then, too', async () => {
    const leaving = new AbortController()
    page.hidden = true
    const waiting = wait(1, leaving.signal)
    let isOver = false
    void waiting.then(() => {
      isOver = true
    })
    await wait5()
    assert.equal(isOver, false)
    leaving.abort()
    await waiting
    page.hidden = false
  })
})

/** Real time, since timers of a page are the browser's. */
function wait5(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 5)
  })
}
