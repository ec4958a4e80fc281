import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { engines, TEST_NOW, type TestEngine } from '../testing/engines.ts'
import { Outbox } from './outbox.ts'

const later = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000)

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  t.after(() => database.close())
  return <T>(work: (outbox: Outbox<{ n: number }>) => Promise<T>) =>
    database.write((tx) => work(new Outbox(tx, 'test')))
}

for (const engine of engines) {
  describe(`Outbox on ${engine.name}`, () => {
    test('gives what is due, in order, once', async (t) => {
      const outbox = await open(t, engine)
      for (const n of [1, 2, 3]) await outbox((box) => box.put({ n }, TEST_NOW))
      await outbox((box) => box.put({ n: 4 }, TEST_NOW, later(60)))
      const claimed = await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      assert.deepEqual(
        claimed.map(({ payload, attempts }) => [payload.n, attempts]),
        [
          [1, 1],
          [2, 1],
          [3, 1],
        ],
      )
      assert.deepEqual(await outbox((box) => box.claim(TEST_NOW, later(30), 10)), [])
    })

    test('gives it again when the claim has run out, and not when it is done', async (t) => {
      const outbox = await open(t, engine)
      const first = await outbox((box) => box.put({ n: 1 }, TEST_NOW))
      await outbox((box) => box.put({ n: 2 }, TEST_NOW))
      await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      await outbox((box) => box.done(first))
      const again = await outbox((box) => box.claim(later(30), later(60), 10))
      assert.deepEqual(
        again.map(({ payload, attempts }) => [payload.n, attempts]),
        [[2, 2]],
      )
    })

    test('knows when it is next due', async (t) => {
      const outbox = await open(t, engine)
      assert.equal(await outbox((box) => box.nextDue()), undefined)
      const id = await outbox((box) => box.put({ n: 1 }, TEST_NOW))
      await outbox((box) => box.retry(id, later(90)))
      assert.deepEqual(await outbox((box) => box.nextDue()), later(90))
    })

    test('gives each effect to one of several claims at once', async (t) => {
      const outbox = await open(t, engine)
      for (let n = 0; n < 20; n += 1) await outbox((box) => box.put({ n }, TEST_NOW))
      const claims = await Promise.all(
        Array.from({ length: 5 }, () => outbox((box) => box.claim(TEST_NOW, later(30), 4))),
      )
      const numbers = claims.flat().map(({ payload }) => payload.n)
      assert.equal(new Set(numbers).size, numbers.length)
    })
  })
}
