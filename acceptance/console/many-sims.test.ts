/** A list longer than a document should be; bench/console-sims.ts measures it at 100,000. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { consoleTests } from './console.ts'
import { manySims } from './many-sims.ts'

const folder = mkdtempSync(join(tmpdir(), 'kumoi-many-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const world = join(folder, 'many.json')
writeFileSync(world, JSON.stringify(manySims(3000)))

const visit = consoleTests({ args: ['--world', world] })

visit('only the rows in view are in the document, and only they are asked for', async (v) => {
  const { page, open } = v
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/commonserviceitem?')) asked.push(request.url())
  })
  await open('/sims')
  await page.getByText('3,000 SIMs').waitFor()
  const frame = page.getByRole('region', { name: 'SIMs' })
  const before = asked.length
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    await frame.evaluate((node, at) => node.scrollTo({ top: node.scrollHeight * at }), part)
  }
  await frame.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
  const rows = await frame.getByRole('row').count()
  assert.ok(rows > 10 && rows < 80, `${rows} rows`)
  assert.equal(await frame.getByRole('table').getAttribute('aria-rowcount'), '3001')
  assert.ok(asked.length - before <= 10, `${asked.length - before} questions`)

  await page.getByLabel('Search', { exact: true }).fill('meter-1234')
  await page.getByText('1 SIM', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'meter-1234', exact: true }).waitFor()
})
