/**
 * The console's list of 100,000 SIMs, scrolled and searched in Chromium, from a trace: the longest task of the
 * page's thread, during which no frame can be drawn. `node_modules/.bin/node bench/console-sims.ts [count]`.
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
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'],
  })
  await frame.hover()
  for (let turn = 0; turn < 100; turn += 1) await page.mouse.wheel(0, 600)
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await frame.evaluate((node, at) => node.scrollTo({ top: node.scrollHeight * at }), part)
    await frame.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
  }
  await page.getByLabel('Search', { exact: true }).pressSequentially('meter-4242')
  await frame.getByRole('link', { name: 'meter-4242', exact: true }).waitFor()
  const { events, main } = read(await browser.stopTracing())
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === main?.pid && tid === main.tid,
  )
  const longest = (key: 'dur' | 'tdur') =>
    (Math.max(0, ...tasks.map((task) => task[key] ?? 0)) / 1000).toFixed(0)
  console.log(
    `${count} SIMs, ${tasks.length} tasks: the longest took ${longest('dur')} ms, of which ${longest('tdur')} ms on the processor`,
  )
} finally {
  await browser.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
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
