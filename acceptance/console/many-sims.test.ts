/** A list longer than a document should be; bench/console-sims.ts measures it at 100,000. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Locator } from 'playwright-core'
import { consoleTests } from './console.ts'
import { manySims } from './many-sims.ts'

/** The height of a row, as the style sheet has it. */
const ROW_PX = 44

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

visit('a scroll draws the rows that come into view, and leaves the others alone', async (v) => {
  const { page, open } = v
  await open('/sims')
  await page.getByText('3,000 SIMs').waitFor()
  const frame = page.getByRole('region', { name: 'SIMs' })
  const isThere = (index: number) => frame.locator(`tr[aria-rowindex="${index}"]`).waitFor()
  await isThere(10)
  await frame.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
  await frame.evaluate((node) => {
    const seen = { rows: 0, inside: 0 }
    const kept = new Set([...node.querySelectorAll('tbody tr')])
    const isKept = (target: Node) =>
      kept.has((target instanceof Element ? target : target.parentElement)?.closest('tr') ?? node)
    Object.assign(globalThis, { seen })
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target.nodeName === 'TBODY') seen.rows += addedNodes.length
        else if (isKept(target)) seen.inside += 1
      }
    }).observe(node, { childList: true, characterData: true, subtree: true })
  })
  // Twice ten rows, all of them on the first page, which is there.
  for (const rows of [10, 20]) {
    await frame.evaluate((node, top) => node.scrollTo({ top }), rows * ROW_PX)
    await isThere(rows + 10 + Math.ceil((await heightOf(frame)) / ROW_PX))
  }
  const { rows, inside } = await page.evaluate(
    () => (globalThis as unknown as { seen: { rows: number; inside: number } }).seen,
  )
  // One more than came into view: the space above them, which was not there at the top.
  assert.ok(rows >= 20 && rows <= 24, `${rows} rows were made`)
  assert.equal(inside, 0, 'no cell of another row was touched')
})

const heightOf = (frame: Locator) => frame.evaluate((node) => node.clientHeight)
