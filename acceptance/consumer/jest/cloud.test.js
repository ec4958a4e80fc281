/** Jest as it comes: no configuration, CommonJS. */
const { cloudForEach, startCloud } = require('kumoi/testing')
const { createClient } = require('@kumoi/client')

const cloud = cloudForEach({ beforeEach, afterEach })
const client = () =>
  createClient({
    baseUrl: cloud.current.url,
    token: 'demo-token',
    secret: 'demo-secret',
    fetch: cloud.current.fetch,
  })

test('what one test creates', async () => {
  const { Switch } = await client().orThrow.switchCreate({ body: { Switch: { Name: 'lan' } } })
  expect(Switch.Name).toBe('lan')
})

test('the next one does not see', async () => {
  const { Total } = await client().orThrow.switchList()
  expect(Total).toBe(0)
})

test('a world and a time of its own', async () => {
  const clock = new Date('2026-04-28T00:00:00+09:00')
  const account = { id: '900000000009', code: 'acme', name: 'Acme', keys: [] }
  const other = await startCloud({ clock, world: { version: 1, accounts: [account] } })
  await other.clock.advance({ days: 1 })
  expect(other.clock.now()).toEqual(new Date('2026-04-29T00:00:00+09:00'))
  await other.stop()
})
