/** A journey in Japanese. */
import assert from 'node:assert/strict'
import { consoleTests, signIn } from './console.ts'

const visit = consoleTests()

visit('日本語で: 言語を選び、サインインし、SIM を登録する', async (v) => {
  const { page, server, operatorToken } = v
  await page.getByLabel('Language').selectOption('ja')
  await page.getByRole('heading', { name: '概要', level: 1 }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: '概要', level: 1 }).waitFor()
  assert.equal(await page.getAttribute('html', 'lang'), 'ja', 'a reload finds the language again')
  assert.equal(await page.title(), '概要 – Kumoi')
  await page.getByRole('button', { name: 'サインアウト' }).click()
  await page.getByRole('heading', { name: 'サインイン', level: 1 }).waitFor()
  await signIn(page, server.origin, operatorToken, 'ja')

  await page.getByRole('navigation').getByRole('link', { name: 'SIM', exact: true }).click()
  await page.getByText('SIM 60 件').waitFor()
  await page.getByRole('button', { name: 'SIM を登録' }).click()
  const dialog = page.getByRole('dialog', { name: 'SIM を登録' })
  await dialog.getByLabel('ICCID').fill('8981040000000001020')
  await dialog.getByLabel('パスコード').fill('wrong')
  await dialog.getByLabel('名前').fill('揚水ポンプ')
  await dialog.getByRole('button', { name: '登録' }).click()
  const refusal = dialog.getByRole('alert')
  await refusal.getByText('リクエストが不正です。').waitFor()
  await refusal.getByText(/PassCode が正しくありません。/).waitFor()
  await dialog.getByLabel('パスコード').fill('demo20')
  await dialog.getByRole('button', { name: '登録' }).click()
  await page.getByRole('heading', { name: '揚水ポンプ', level: 1 }).waitFor()
  await page.getByText('SIM を登録しました。').waitFor()
  await page.getByText('無効', { exact: true }).waitFor()
  // Dates as Japan writes them.
  await page
    .getByText(/^\d{4}\/\d{2}\/\d{2}\s\d{2}:\d{2}:\d{2}$/)
    .first()
    .waitFor()
})
