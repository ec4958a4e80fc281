import assert from 'node:assert/strict'
import type { Response } from 'playwright-core'
import { consoleTests, openPath } from './console.ts'

const LIMIT_BYTES = 140_000

const visit = consoleTests()

visit(
  'the first load is under 140 kB gzipped, from this server alone',
  async ({ page, server }) => {
    const context = page.context()
    const fresh = await context.newPage()
    const sizes: Promise<number>[] = []
    const measure = (response: Response) => {
      assert.equal(new URL(response.url()).origin, server.origin)
      const size = response.request().sizes()
      // What the page still asks when it is closed is no part of its load.
      sizes.push(size.then(({ responseBodySize }) => responseBodySize).catch(() => 0))
    }
    fresh.on('response', measure)
    const kept = await page.evaluate(() => sessionStorage.getItem('kumoi.session') ?? '')
    await fresh.addInitScript((text) => sessionStorage.setItem('kumoi.session', text), kept)
    await openPath(fresh, server.origin, '/')
    await fresh.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
    fresh.off('response', measure)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    assert.ok(bytes > 10_000 && bytes < LIMIT_BYTES, `${bytes} bytes`)
  },
)
