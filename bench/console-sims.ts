/**
 * The console's list of 100,000 SIMs, scrolled and searched in Chromium: the longest pause of the page's thread,
 * and the longest time between two frames. `node_modules/.bin/node bench/console-sims.ts [count]`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../acceptance/console/chromium.ts'
import { newContext, newPage, openPath, signIn } from '../acceptance/console/console.ts'
import { manySims } from '../acceptance/console/many-sims.ts'
import { start } from '../acceptance/server.ts'
import { buildConsole } from '../packages/server/src/start/console.ts'

const count = Number(process.argv[2] ?? 100_000)
await buildConsole(console.log)
const browser = await launchBrowser()
if (browser === undefined) process.exit(1)
const data = mkdtempSync(join(tmpdir(), 'kumoi-bench-'))
const world = join(data, 'many.json')
writeFileSync(world, JSON.stringify(manySims(count)))
const server = await start(data, ['--world', world])
try {
  const { page } = await newPage(await newContext(browser, server.origin))
  await signIn(page, server.origin, readFileSync(join(data, 'operator.token'), 'utf8').trim())
  await openPath(page, server.origin, '/sims')
  const frame = page.getByRole('region', { name: 'SIMs' })
  await frame.getByRole('link').first().waitFor()
  await page.evaluate(() => {
    const seen = { tasks: [0], frames: [0] }
    new PerformanceObserver((list) => {
      seen.tasks.push(...list.getEntries().map(({ duration }) => duration))
    }).observe({ type: 'longtask' })
    let last = performance.now()
    const tick = (now: number) => {
      seen.frames.push(now - last)
      last = now
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
    Object.assign(globalThis, { seen })
  })
  await frame.hover()
  for (let turn = 0; turn < 100; turn += 1) await page.mouse.wheel(0, 600)
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await frame.evaluate((node, at) => node.scrollTo({ top: node.scrollHeight * at }), part)
    await frame.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
  }
  await page.getByLabel('Search', { exact: true }).pressSequentially('meter-4242')
  await frame.getByRole('link', { name: 'meter-4242', exact: true }).waitFor()
  const { tasks, frames } = await page.evaluate(
    () => (globalThis as unknown as { seen: { tasks: number[]; frames: number[] } }).seen,
  )
  const longest = (list: readonly number[]) => Math.max(...list).toFixed(0)
  console.log(
    `${count} SIMs: longest task ${longest(tasks)} ms, longest frame ${longest(frames)} ms`,
  )
} finally {
  await browser.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}
