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
      for (const n of [1, 2]) await outbox((box) => box.put({ n }, TEST_NOW))
      const [first] = await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      assert.ok(first)
      assert.equal(await outbox((box) => box.done(first)), true)
      const again = await outbox((box) => box.claim(later(30), later(60), 10))
      assert.deepEqual(
        again.map(({ payload, attempts }) => [payload.n, attempts]),
        [[2, 2]],
      )
    })

    test('knows when it is next due', async (t) => {
      const outbox = await open(t, engine)
      assert.equal(await outbox((box) => box.nextDue(TEST_NOW)), undefined)
      await outbox((box) => box.put({ n: 1 }, TEST_NOW))
      const [claimed] = await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      assert.ok(claimed)
      await outbox((box) => box.retry(claimed, later(90)))
      assert.deepEqual(await outbox((box) => box.nextDue(TEST_NOW)), later(90))
    })

    test('lets a claim that has expired and was taken by another change nothing', async (t) => {
      const outbox = await open(t, engine)
      await outbox((box) => box.put({ n: 1 }, TEST_NOW))
      const [late] = await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      const [current] = await outbox((box) => box.claim(later(30), later(60), 10))
      assert.ok(late && current)
      assert.equal(await outbox((box) => box.done(late)), false)
      assert.equal(await outbox((box) => box.retry(late, later(1))), false)
      await outbox((box) => box.release([late], TEST_NOW))
      assert.deepEqual(await outbox((box) => box.nextDue(TEST_NOW)), later(60))
      assert.equal(await outbox((box) => box.done(current)), true)
    })

    test('gives what was released as if it had never been claimed', async (t) => {
      const outbox = await open(t, engine)
      await outbox((box) => box.put({ n: 1 }, TEST_NOW))
      const claimed = await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      await outbox((box) => box.release(claimed, later(1)))
      const again = await outbox((box) => box.claim(later(1), later(30), 10))
      assert.deepEqual(again, claimed)
    })

    test('gives at once what was put before the clock was set back', async (t) => {
      const outbox = await open(t, engine)
      await outbox((box) => box.put({ n: 1 }, later(3600)))
      assert.deepEqual(await outbox((box) => box.nextDue(TEST_NOW)), TEST_NOW)
      assert.deepEqual(await outbox((box) => box.nextDue(later(7200))), later(3600))
      const [claimed] = await outbox((box) => box.claim(TEST_NOW, later(30), 10))
      assert.deepEqual(claimed?.createdAt, later(3600))
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
