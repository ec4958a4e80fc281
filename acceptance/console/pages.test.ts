/** What holds for every page, and for every dialog that opens on one. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { allPages, filledPath, type PagePlace } from './all-pages.ts'
import { allScenes } from './all-scenes.ts'
import {
  accessibilityFaults,
  consoleTests,
  idsOf,
  settle,
  type Visit,
  widthOver,
} from './console.ts'
import { furnish } from './furnish.ts'

const DESK = { width: 1280, height: 900 }
const TELEPHONE = { width: 390, height: 844 }

const visit = consoleTests()
let isFurnished = false

visit('no page has a serious fault in English and light, and none is too wide', async (v) => {
  const faults = await walk(v, allPages, 'light', async () => undefined)
  assert.deepEqual(faults, [])
})

visit('no page has a serious fault in Japanese and dark, and none is too wide', async (v) => {
  await speakJapanese(v.page)
  const faults = await walk(v, allPages, 'dark', async () => undefined)
  assert.deepEqual(faults, [])
})

visit('no dialog and no filled form has a serious fault, in either theme', async (v) => {
  const faults: string[] = []
  faults.push(
    ...(await walk(v, allScenes, 'dark', async ({ name }) => {
      const scene = allScenes.find((one) => one.name === name)
      await scene?.act(v.page, (english) => english)
      // Of what a theme changes, this rule sees all.
      await v.page.emulateMedia({ colorScheme: 'light' })
      faults.push(...(await accessibilityFaults(v.page, 'color-contrast')))
      await v.page.emulateMedia({ colorScheme: 'dark' })
    })),
  )
  assert.deepEqual(faults, [])
})

visit('on a telephone the menu is a button away, and goes when a page is chosen', async (v) => {
  const { page } = v
  await page.setViewportSize(TELEPHONE)
  const menu = page.getByRole('navigation')
  const button = page.getByRole('button', { name: 'Menu' })
  await menu.waitFor({ state: 'hidden' })
  assert.equal(await button.getAttribute('aria-expanded'), 'false')
  await button.click()
  assert.equal(await button.getAttribute('aria-expanded'), 'true')
  await page.getByLabel('Language').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await menu.getByRole('link', { name: 'SIMs' }).click()
  await page.getByRole('heading', { name: 'SIMs', level: 1 }).waitFor()
  await menu.waitFor({ state: 'hidden' })
})

async function speakJapanese(page: Page): Promise<void> {
  await page.getByLabel('Language').selectOption('ja')
  await page.getByRole('heading', { name: '概要', level: 1 }).waitFor()
  assert.equal(await page.getAttribute('html', 'lang'), 'ja')
}

async function walk(
  { page, server, operatorToken, open }: Visit,
  places: readonly PagePlace[],
  colorScheme: 'light' | 'dark',
  act: (place: PagePlace) => Promise<void>,
): Promise<string[]> {
  if (!isFurnished) await furnish(server, operatorToken)
  isFurnished = true
  const ids = await idsOf(server)
  // Colours that are on their way from one theme to the other are those of neither.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  const faults: string[] = []
  for (const place of places) {
    await page.setViewportSize(DESK)
    await open(filledPath(place.path, ids))
    if (place.isLive) await page.locator('tbody tr').first().waitFor()
    await settle(page)
    await act(place)
    const found = await accessibilityFaults(page)
    faults.push(...found.map((fault) => `${place.name}, ${colorScheme}: ${fault}`))
    await page.setViewportSize(TELEPHONE)
    const over = await widthOver(page)
    if (over > 0) faults.push(`${place.name} is ${over} pixels too wide for a telephone`)
    if ((await page.getByRole('dialog').count()) > 0) await page.keyboard.press('Escape')
  }
  return faults
}
