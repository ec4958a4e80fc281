/** The operator applies a world file, sees at which line it is refused, and takes the present one away. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { accessibilityFaults, consoleTests } from './console.ts'

const visit = consoleTests()

visit(
  'a world that is refused says so at its line, and is applied when it is mended',
  async (v) => {
    const { page, open, server, operatorToken } = v
    await open('/operator/world')
    const text = page.getByLabel('Text of world.yaml')
    const lines = ['version: 1', 'accounts:', '  - code: initech', '    name: 5']
    await text.fill(lines.join('\n'))
    const apply = page.getByRole('button', { name: 'Apply', exact: true })
    await apply.click()
    const alert = page.getByRole('alert')
    await alert.getByText('Refused at line 4').waitFor()
    await alert.getByText(/^accounts\[0\]\.name /).waitFor()
    const selected = await text.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    )
    assert.equal(selected, lines[3])
    assert.equal(await page.locator('.editor-lines .bad').textContent(), '4')
    assert.deepEqual(await accessibilityFaults(page), [])
    await text.fill([...lines.slice(0, 3), '    name: Initech'].join('\n'))
    await apply.click()
    await page.getByRole('row', { name: 'accounts 1 0 0' }).waitFor()
    assert.equal(await alert.count(), 0)
    const { accounts } = (await server.operator('GET', '/accounts', operatorToken)).body
    assert.ok(accounts.some(({ name }: { name: string }) => name === 'Initech'))
  },
)

visit('the world that is there is exported, edited and applied again', async ({ page, open }) => {
  await open('/operator/world')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the world' }).click()
  const file = await (await download).path()
  const world = JSON.parse(readFileSync(file, 'utf8'))
  assert.equal(world.version, 1)
  assert.ok(world.accounts.some(({ code }: { code: string }) => code === 'demo'))
  await page.getByRole('button', { name: 'Edit the present world' }).click()
  await page.getByLabel('Text of world.json').waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByRole('row', { name: /^accounts 0 0 \d+$/ }).waitFor()
})

visit('a file is opened under its own name', async ({ page, open }) => {
  await open('/operator/world')
  await page.getByLabel('Open a file').setInputFiles({
    ...{ name: 'mine.yaml', mimeType: 'text/yaml', buffer: Buffer.from('version: 2\n') },
  })
  await page.getByLabel('Text of mine.yaml').waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('Refused at line 1').waitFor()
})
