/** What holds for every page. */
import assert from 'node:assert/strict'
import { allPages } from './all-pages.ts'
import { accessibilityFaults, consoleTests, idsOf } from './console.ts'
import { furnish } from './furnish.ts'

const visit = consoleTests()

visit('no page has a serious fault of accessibility, in either theme', async (v) => {
  const { page, server, operatorToken, open } = v
  await furnish(server, operatorToken)
  const ids = await idsOf(server)
  const faults: string[] = []
  for (const theme of ['dark', 'light']) {
    await page.getByLabel('Appearance').selectOption(theme)
    for (const { name, path } of allPages) {
      await open(path.replaceAll(/\{(\w+)\}/g, (_, key) => ids[key] ?? ''))
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
      const found = await accessibilityFaults(page)
      faults.push(...found.map((fault) => `${name}, ${theme}: ${fault}`))
    }
  }
  assert.deepEqual(faults, [])
})
