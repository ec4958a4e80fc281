import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from './client.ts'

/** A server with so many things, which answers with at most `cap` of them. */
function holding(total: number, cap: number, wrap: (page: object[], from: number) => object) {
  const asked: string[] = []
  const client = createClient({
    baseUrl: 'https://localhost/cloud',
    fetch: async (address) => {
      const { search } = new URL(address)
      asked.push(decodeURIComponent(search.slice(1)))
      const { From, Count } = asked.at(-1)?.startsWith('{')
        ? JSON.parse(asked.at(-1) ?? '')
        : Object.fromEntries(new URLSearchParams(search))
      const from = Number(From)
      const length = Math.max(0, Math.min(total - from, Number(Count), cap))
      const page = Array.from({ length }, (_, index) => ({
        Index: from + index,
        ID: `${from + index}`,
      }))
      return Response.json(wrap(page, from))
    },
  })
  return { client, asked }
}

async function all<T>(sequence: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of sequence) found.push(one)
  return found
}

describe('each', () => {
  test('goes through all pages of a search, with its conditions in each', async () => {
    const { client, asked } = holding(5, 99, (CommonServiceItems, From) => ({
      From,
      Total: 5,
      CommonServiceItems,
    }))
    const search = { Filter: { Name: 'a' } }
    const found = await all(client.each.itemList({ search }, { pageSize: 2 }))
    assert.deepEqual(
      found.map(({ ID }) => ID),
      ['0', '1', '2', '3', '4'],
    )
    assert.deepEqual(
      asked.map((text) => JSON.parse(text)),
      [0, 2, 4].map((From) => ({ Filter: { Name: 'a' }, From, Count: 2 })),
    )
  })

  test('goes on where a server gives less than it is asked for', async () => {
    const { client, asked } = holding(45, 20, (Sites) => ({ Total: 45, Sites }))
    const found = await all(client.each.siteList({ query: { From: 3 } }))
    assert.deepEqual([found.length, found[0]?.Index], [42, 3])
    assert.deepEqual(asked, ['From=3&Count=100', 'From=23&Count=100', 'From=43&Count=100'])
  })

  test('ends with a page that is not full where no total is told', async () => {
    const { client, asked } = holding(4, 99, (logs) => ({ ESME: { logs, Count: logs.length } }))
    const params = { sms_id: '900000000001' }
    const found = await all(client.each.smsLogList({ params }, { pageSize: 2 }))
    assert.equal(found.length, 4)
    assert.equal(asked.length, 3)
  })

  test('asks once where the answer has the whole list', async () => {
    const { client, asked } = holding(0, 0, () => ({ accounts: [{ code: 'a' }, { code: 'b' }] }))
    const found = await all(client.each.accountList())
    assert.deepEqual(
      found.map(({ code }) => code),
      ['a', 'b'],
    )
    assert.deepEqual(asked, [''])
  })

  test('asks for no more than is taken', async () => {
    const { client, asked } = holding(500, 99, (CommonServiceItems) => ({
      Total: 500,
      CommonServiceItems,
    }))
    for await (const { Index } of client.each.itemList()) if (Index === 3) break
    assert.equal(asked.length, 1)
  })

  test('throws what is refused', async () => {
    const client = createClient({
      baseUrl: 'https://localhost/cloud',
      fetch: async () => Response.json({ error_code: 'bad_request' }, { status: 400 }),
    })
    await assert.rejects(all(client.each.itemList()), /refused with bad_request/)
  })
})
