/** A site that is delivered: its figures, an address that is looked up and removed, and the edge itself. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { EDGE_FLAGS, edgePorts, fetchFrom, newSite, startOrigin } from '../edge-cloud.ts'
import { waitFor } from '../wait.ts'
import { accessibilityFaults, consoleTests } from './console.ts'

const HOST = 'www.edge.example.jp'
const endings: (() => void)[] = []
after(() => {
  for (const end of endings) end()
})
const origin = await startOrigin({ after: (end) => endings.push(end) })
const visit = consoleTests({ args: [...EDGE_FLAGS] })

visit('shows hits and misses of a site, and what is stored of an address', async (v) => {
  const { page, open, server } = v
  const { port } = edgePorts(server)
  const id = await newSite(server, HOST, origin)
  const get = () => fetchFrom(port, HOST, '/a')
  await waitFor('the site', async () => (await get()).status === 200)
  for (let n = 0; n < 8; n += 1) await get()

  await open(`/webaccel/${id}`)
  const now = page.getByRole('region', { name: 'Now' })
  // How often the site was asked before it was enabled counts too.
  await now.getByText(/^[1-9]\d*(\.\d)? %$/).waitFor()
  await now.getByText('by 1 edge').waitFor()
  await page.getByRole('img', { name: 'Hits and misses by hour' }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])

  await page.getByRole('tab', { name: 'Cache' }).click()
  const card = page.getByRole('region', { name: 'Look up an address' })
  const address = card.getByLabel('Address to look up')
  await address.fill('https://other.example.jp/')
  await card.getByText(`The address must be one of ${HOST}.`).waitFor({ state: 'attached' })
  await address.fill(`https://${HOST}/a`)
  await card.getByRole('button', { name: 'Look up' }).click()
  await card.getByText('Answered from the cache').waitFor()
  await card.getByRole('region', { name: 'Stored' }).getByText('memory').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  const asked = origin.requests
  await card.getByRole('button', { name: 'Remove it from the cache' }).click()
  await card.getByText('Nothing is stored of it.').waitFor()
  await get()
  assert.equal(origin.requests, asked + 1)

  await open('/operator/edges')
  await page.getByRole('row', { name: /embedded .* Live Up to date/ }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})
