/**
 * The console's list of 100,000 SIMs in Chromium, from traces: scrolled from its first row to its last, and
 * searched. Said are the longest frame as a reader sees it, which a busy machine makes longer, and the longest
 * task of the page's thread, of which the time on the processor is the page's own doing.
 * `node_modules/.bin/node bench/console-sims.ts [count]`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../acceptance/console/chromium.ts'
import { newContext, newPage, openPath, signIn } from '../acceptance/console/console.ts'
import { manySims } from '../acceptance/console/many-sims.ts'
import { start } from '../acceptance/server.ts'
import { buildConsole } from '../packages/server/src/start/console.ts'

/** A row of the list, as the style sheet has it, and how many of them a frame of the scroll goes on. */
const ROW_PX = 44
const ROWS_A_FRAME = 100
/** A machine that does other things, too, may need long for the first answer. */
const PATIENCE_MS = 120_000

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
  page.setDefaultTimeout(PATIENCE_MS)
  await signIn(page, server.origin, readFileSync(join(data, 'operator.token'), 'utf8').trim())
  await openPath(page, server.origin, '/sims')
  const frame = page.getByRole('region', { name: 'SIMs' })
  await frame.getByRole('link').first().waitFor()
  console.log(`${count} SIMs`)
  await measure('scrolling by wheel', page, async () => {
    await frame.hover()
    for (let turn = 0; turn < 100; turn += 1) await page.mouse.wheel(0, 600)
  })
  await measure('scrolling through all', page, async () => {
    await frame.evaluate(scrollThrough, ROWS_A_FRAME * ROW_PX)
    await frame.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
  })
  await measure('jumping to places', page, async () => {
    for (const part of [0.25, 0.5, 0.75, 1]) {
      await frame.evaluate((node, at) => node.scrollTo({ top: node.scrollHeight * at }), part)
      await frame.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
    }
  })
  await measure('typing a search', page, async () => {
    await page.getByLabel('Search', { exact: true }).pressSequentially('meter-4242', { delay: 60 })
    await frame.getByRole('link', { name: 'meter-4242', exact: true }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('')
    await page.getByText(`${count.toLocaleString('en')} SIMs`).waitFor()
  })
} finally {
  await browser.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

/** In each frame as many rows further as a page of the list has, until the end. */
function scrollThrough(node: Element, step: number): Promise<void> {
  node.scrollTop = 0
  return new Promise((resolve) => {
    const turn = () => {
      if (node.scrollTop + node.clientHeight >= node.scrollHeight - 1) return resolve()
      node.scrollTop += step
      requestAnimationFrame(turn)
    }
    requestAnimationFrame(turn)
  })
}

async function measure(what: string, page: Page, work: () => Promise<void>): Promise<void> {
  await page.evaluate(watchFrames)
  await browser?.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'],
  })
  await work()
  const frames = await page.evaluate(() => {
    const watched = globalThis as unknown as { frames: number[]; stopFrames: () => void }
    watched.stopFrames()
    return watched.frames
  })
  const trace = await browser?.stopTracing()
  if (trace === undefined) return
  const { events, main } = read(trace)
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === main?.pid && tid === main.tid,
  )
  const longest = (key: 'dur' | 'tdur') =>
    (Math.max(0, ...tasks.map((task) => task[key] ?? 0)) / 1000).toFixed(0)
  const figures = [
    `${frames.length} frames, the longest ${Math.max(0, ...frames).toFixed(0)} ms`,
    `${tasks.length} tasks, the longest ${longest('dur')} ms`,
    `on the processor at most ${longest('tdur')} ms`,
  ]
  console.log(`${what}: ${figures.join('; ')}`)
}

/** The milliseconds between one frame and the next, as the page is asked to draw them. */
function watchFrames(): void {
  const watched = globalThis as unknown as { frames: number[]; stopFrames: () => void }
  watched.frames = []
  let last = performance.now()
  let asked = requestAnimationFrame(function turn() {
    const now = performance.now()
    watched.frames.push(now - last)
    last = now
    asked = requestAnimationFrame(turn)
  })
  watched.stopFrames = () => cancelAnimationFrame(asked)
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  /** On the processor: what other programs take from the machine is not in it. */
  readonly tdur?: number
}

/** The thread that runs the page's scripts is the one that fires its animation frames. */
function read(trace: Buffer): { events: readonly TraceEvent[]; main: TraceEvent | undefined } {
  const events: readonly TraceEvent[] = JSON.parse(trace.toString()).traceEvents
  return { events, main: events.find(({ name }) => name === 'FireAnimationFrame') }
}
