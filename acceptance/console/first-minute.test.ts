/** As a newcomer does it: `npm start` at a terminal, and a click on the link that it prints. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bannerOf, temporaryFolder } from '../server.ts'
import { launchBrowser, MISSING } from './chromium.ts'
import { newContext, newPage } from './console.ts'
import { firstMinute } from './first-minute.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MINUTE_MS = 60_000

test('within a minute of the click all of it has been seen', { skip: MISSING }, async (t) => {
  const data = temporaryFolder(t)
  // The link signs in only at a terminal.
  const command = `npm start -- --data ${data} --port 0`
  const server = spawn('script', ['-qec', command, '/dev/null'], { cwd: ROOT })
  t.after(() => server.kill())
  const banner = await bannerOf(server)
  const [, link = '', origin = ''] = /Console +((https:\S+?)\/#operator=\S+)/.exec(banner) ?? []
  const browser = await launchBrowser()
  t.after(() => browser?.close())
  if (browser === undefined) return
  const { page, problems } = await newPage(await newContext(browser, origin))
  // The past of the demo world may come after the page has first asked.
  page.setDefaultTimeout(MINUTE_MS)
  const seen: string[] = []
  const clicked = performance.now()
  await page.goto(link)
  await firstMinute(page, async (name) => {
    seen.push(name)
  })
  assert.ok(performance.now() - clicked < MINUTE_MS)
  assert.equal(seen.length, 4)
  assert.deepEqual(problems, [])
})
