import assert from 'node:assert/strict'
import { consoleTests, openPath } from './console.ts'

const LIMIT_BYTES = 120_000

const visit = consoleTests()

visit(
  'the first load is under 120 kB gzipped, from this server alone',
  async ({ page, server }) => {
    const context = page.context()
    const fresh = await context.newPage()
    let bytes = 0
    const sizes: Promise<void>[] = []
    fresh.on('response', (response) => {
      assert.equal(new URL(response.url()).origin, server.origin)
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => {
            bytes += responseBodySize
          }),
      )
    })
    const kept = await page.evaluate(() => sessionStorage.getItem('kumoi.session') ?? '')
    await fresh.addInitScript((text) => sessionStorage.setItem('kumoi.session', text), kept)
    await openPath(fresh, server.origin, '/')
    await fresh.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined)
    await Promise.all(sizes)
    assert.ok(bytes > 10_000 && bytes < LIMIT_BYTES, `${bytes} bytes`)
  },
)
