/**
 * Pictures of the console into screenshots/, to be looked at: every page, every dialog and forms that are
 * filled, in both languages, both themes, and as wide as a desk, a tablet and a telephone.
 * `npm run screenshots -- sims overview` makes those alone whose names begin so. Those that README.md shows
 * are also put into docs/images.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { allPages, filledPath } from '../acceptance/console/all-pages.ts'
import { allScenes, type Scene } from '../acceptance/console/all-scenes.ts'
import { launchBrowser } from '../acceptance/console/chromium.ts'
import {
  idsOf,
  newContext,
  newPage,
  openPath,
  settle,
  signIn,
} from '../acceptance/console/console.ts'
import { firstMinute } from '../acceptance/console/first-minute.ts'
import { furnish } from '../acceptance/console/furnish.ts'
import { start } from '../acceptance/server.ts'
import { buildConsole } from '../packages/server/src/start/console.ts'
import { REPOSITORY } from './lib/program.ts'

const LANGUAGES = ['en', 'ja'] as const
const THEMES = ['light', 'dark'] as const
const SIZES = [
  { width: 1280, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const

/** In docs/images: English, light, as wide as a desk. */
const IN_README = ['overview', 'sim-traffic']

const wanted = process.argv.slice(2)
const pages: Scene[] = allPages.map((place) => ({ ...place, act: async () => undefined }))
const isWanted = (name: string) =>
  wanted.length === 0 || wanted.some((start) => name.startsWith(start))
const chosen = [...pages, ...allScenes].filter(({ name }) => isWanted(name))
const target = join(REPOSITORY, 'screenshots')
const images = join(REPOSITORY, 'docs/images')
for (const folder of [target, images]) mkdirSync(folder, { recursive: true })
await buildConsole(console.log)
const found = await launchBrowser()
if (found === undefined) process.exit(1)
const browser = found
const data = mkdtempSync(join(tmpdir(), 'kumoi-screenshots-'))
const server = await start(data)
try {
  const token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
  if (isWanted('first-minute')) await takeFirstMinute(server.origin, token)
  await furnish(server, token)
  const ids = await idsOf(server)
  for (const language of LANGUAGES) {
    const context = await newContext(browser, server.origin)
    const { page } = await newPage(context)
    await page.goto(server.origin)
    await page.evaluate((tongue) => localStorage.setItem('kumoi.language', tongue), language)
    await page.reload()
    await take(page, `sign-in-${language}`)
    await signIn(page, server.origin, token, language)
    for (const scene of chosen) {
      await page.setViewportSize(SIZES[0])
      // Another page first, so that nothing of the scene before is left.
      await page.goto('about:blank')
      await openPath(page, server.origin, filledPath(scene.path, ids))
      if (scene.isLive) await page.locator('tbody tr').first().waitFor()
      await settle(page)
      await scene.act(page, (english, japanese) => (language === 'ja' ? japanese : english))
      await take(page, `${scene.name}-${language}`)
    }
    await context.close()
  }
  for (const name of IN_README.filter((one) => chosen.some((scene) => scene.name === one))) {
    copyFileSync(join(target, `${name}-en-light-1280.png`), join(images, `${name}.png`))
  }
} finally {
  await browser.close()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
}

/** Before anything is furnished: what a newcomer sees. */
async function takeFirstMinute(origin: string, token: string): Promise<void> {
  const context = await newContext(browser, origin)
  const { page } = await newPage(context)
  await signIn(page, origin, token, 'en')
  await firstMinute(page, async (name) => {
    await settle(page)
    await page.screenshot({ path: join(images, `${name}.png`) })
  })
  await context.close()
}

/** The page as it is, in all themes and sizes: it follows both without being opened again. */
async function take(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settle(page)
      const path = join(target, `${name}-${colorScheme}-${size.width}.png`)
      // A dialog is in front of the window and not of the whole page.
      const isDialog = (await page.getByRole('dialog').count()) > 0
      await page.screenshot({ path, fullPage: !isDialog })
    }
  }
}
