import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onSqlite } from '../../testing/engines.ts'
import { raw, sql } from '../sql.ts'

const NEXT = raw("SELECT next FROM sequence WHERE name = 'resource'")

describe('the sequences of the embedded engine', () => {
  test('are in the table after a group, however many numbers it took', async (t) => {
    const database = await onSqlite.open()
    t.after(() => database.close())
    const take = () => database.write((tx) => tx.next('resource'))
    const [first = 0, ...others] = await Promise.all([take(), take(), take()])
    assert.deepEqual(others, [first + 1, first + 2])
    const row = await database.read((tx) => tx.first<{ next: number }>(NEXT))
    assert.equal(row?.next, first + 3)
  })

  test('are in the table for whoever looks at it within the transaction', async (t) => {
    const database = await onSqlite.open()
    t.after(() => database.close())
    await database.write(async (tx) => {
      const taken = await tx.next('resource')
      assert.equal((await tx.first<{ next: number }>(NEXT))?.next, taken + 1)
      await tx.run(sql`UPDATE sequence SET next = ${taken + 100} WHERE name = 'resource'`)
      assert.equal(await tx.next('resource'), taken + 100)
      await tx.reserve('resource', taken + 200)
      await tx.reserve('resource', taken + 150)
      assert.equal(await tx.next('resource'), taken + 201)
    })
  })

  test('give no number twice when a write of the group fails', async (t) => {
    const database = await onSqlite.open()
    t.after(() => database.close())
    const kept: number[] = []
    const write = (fails: boolean) =>
      database.write(async (tx) => {
        const number = await tx.next('resource')
        await tx.run(sql`UPDATE sequence SET next = next WHERE name = ${'other'}`)
        if (fails) throw new Error('refused')
        return number
      })
    const work = [false, true, false, true, false].map(async (fails) => {
      kept.push(await write(fails))
    })
    await Promise.allSettled(work)
    kept.push(await write(false))
    assert.equal(new Set(kept).size, 4)
  })
})
