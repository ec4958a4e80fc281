/**
 * A picture of every page of the console, in both languages and both themes, into screenshots/: to be
 * looked at. `npm run screenshots -- sims overview` makes those alone whose names begin so.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { allPages } from '../acceptance/console/all-pages.ts'
import { launchBrowser } from '../acceptance/console/chromium.ts'
import { idsOf, newContext, newPage, openPath, signIn } from '../acceptance/console/console.ts'
import { furnish } from '../acceptance/console/furnish.ts'
import { start } from '../acceptance/server.ts'
import { buildConsole } from '../packages/server/src/start/console.ts'
import { REPOSITORY } from './lib/program.ts'

/** What asks for data when it is opened has it by then. */
const SETTLE_MS = 900

const wanted = process.argv.slice(2)
const chosen = allPages.filter(
  ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
)
const target = join(REPOSITORY, 'screenshots')
mkdirSync(target, { recursive: true })
await buildConsole(console.log)
const browser = await launchBrowser()
if (browser === undefined) process.exit(1)
const data = mkdtempSync(join(tmpdir(), 'kumoi-screenshots-'))
const server = await start(data)
try {
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  await furnish(server, token)
  const { page } = await newPage(await newContext(browser, server.origin))
  await page.goto(server.origin)
  await page.screenshot({ path: join(target, 'sign-in.png') })
  await signIn(page, server.origin, token)
  const ids = await idsOf(server)
  for (const language of ['en', 'ja']) {
    for (const theme of ['light', 'dark']) await takeAll(page, ids, language, theme)
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

async function takeAll(page: Page, ids: Record<string, string>, language: string, theme: string) {
  await page.evaluate(
    ([one, other]) => {
      localStorage.setItem('kumoi.language', one ?? '')
      localStorage.setItem('kumoi.theme', other ?? '')
    },
    [language, theme],
  )
  await page.reload()
  for (const { name, path } of chosen) {
    await openPath(
      page,
      server.origin,
      path.replaceAll(/\{(\w+)\}/g, (_, key) => ids[key] ?? ''),
    )
    await page.waitForTimeout(SETTLE_MS)
    await page.screenshot({
      path: join(target, `${name}-${language}-${theme}.png`),
      fullPage: true,
    })
  }
}
