/** A journey without a mouse. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { accessibilityFaults, consoleTests } from './console.ts'

/** More than any page has to be tabbed through. */
const TABS_MAX = 60

const visit = consoleTests()

visit(
  'by keyboard alone: signs in, opens a SIM, asks, thinks better of it, and does it',
  async (v) => {
    // Another tab, in which nobody is signed in.
    const page = await v.page.context().newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(`${v.server.origin}/`)
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    await tabTo(page, page.getByLabel('Access token', { exact: true }))
    await page.keyboard.type('demo-token')
    await page.keyboard.press('Tab')
    await page.keyboard.type('demo-secret')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

    await press(page, page.getByRole('navigation').getByRole('link', { name: 'SIMs' }))
    await page.getByRole('heading', { name: 'SIMs', level: 1 }).waitFor()
    assert.equal(await focused(page, (node) => node.id), 'main', 'the page begins where it is read')
    await press(page, page.getByRole('link', { name: 'meter-1' }))
    await page.getByRole('heading', { name: 'meter-1', level: 1 }).waitFor()

    const deactivate = page.getByRole('main').getByRole('button', { name: 'Deactivate' }).first()
    await press(page, deactivate)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    assert.ok(await focused(page, (node) => node.closest('dialog') !== null), 'the focus is inside')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await isFocused(deactivate), true, 'Escape gives the focus back')

    await page.keyboard.press('Enter')
    await press(page, dialog.getByRole('button', { name: 'Deactivate' }))
    await page.getByText('Not active', { exact: true }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await isFocused(deactivate), true, 'so does a dialog that is done')
  },
)

visit('tabs are moved between by arrows, and the reason of a button is heard', async (v) => {
  const { page, open } = v
  await open('/sims')
  await page.getByRole('link', { name: 'meter-2' }).click()
  await tabTo(page, page.getByRole('tab', { name: 'State' }))
  await page.keyboard.press('ArrowRight')
  assert.equal(await isFocused(page.getByRole('tab', { name: 'Traffic' })), true)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+Tab')
  await tabTo(page, page.getByRole('button', { name: 'Activate', exact: true }), 'Shift+Tab')
  await page.getByRole('tooltip', { name: 'It is active already.' }).waitFor()
})

visit('keys open pages and the search, and say which there are', async ({ page, open }) => {
  await open('/')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { name: 'SIMs', level: 1 }).waitFor()
  await page.keyboard.press('/')
  const search = page.getByLabel('Search', { exact: true })
  assert.equal(await isFocused(search), true)
  await page.keyboard.type('g?/')
  assert.equal(await search.inputValue(), 'g?/', 'what is typed stays text')
  await search.blur()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Gateways', { exact: true }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
})

visit('the palette finds a SIM, a gateway, a page and an action', async ({ page, open }) => {
  await open('/')
  const find = page.getByRole('combobox', { name: 'Find anything' })
  await page.keyboard.press('Control+k')
  await find.fill('meter-2')
  const sim = page.getByRole('option', { name: /^meter-2 / })
  await sim.waitFor()
  assert.equal(await sim.getAttribute('aria-selected'), 'true')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'meter-2', level: 1 }).waitFor()

  await page.keyboard.press('Control+k')
  await find.fill('meters')
  await page.getByRole('option', { name: /^meters .*Gateway$/ }).click()
  await page.getByRole('heading', { name: 'meters', level: 1 }).waitFor()

  await page.getByRole('button', { name: 'Find anything' }).click()
  await find.fill('snap')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Snapshots', level: 1 }).waitFor()

  await page.keyboard.press('Control+k')
  await find.fill('create a')
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create a gateway' }).waitFor()
})

visit('the palette says when it finds nothing, and Escape closes it', async ({ page, open }) => {
  await open('/sims')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find anything' }).fill('no such thing')
  await page.getByText('Nothing of this name is found.').waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Find anything' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'SIMs', level: 1 }).waitFor()
})

/** Tabs to it, sees the ring around it, and presses Enter. */
async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  const ring = await focused(page, (node) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(node)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
  assert.ok(ring, `the focus is seen on ${target}`)
  await page.keyboard.press('Enter')
}

async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let turn = 0; turn < TABS_MAX; turn += 1) {
    if (await isFocused(target)) return
    await page.keyboard.press(key)
  }
  assert.fail(`${target} is not reached by ${key}`)
}

const isFocused = (target: Locator) => target.evaluate((node) => node === document.activeElement)

const focused = <T>(page: Page, read: (node: Element) => T): Promise<T> =>
  page
    .locator('*:focus')
    .last()
    .evaluate(read as (node: Element) => T)
