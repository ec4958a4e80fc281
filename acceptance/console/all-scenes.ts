/**
 * What pages show after something was done on them: dialogs, and forms that are filled. For the walk over
 * all pages and for the screenshots.
 */
import type { Locator, Page } from 'playwright-core'
import type { PagePlace } from './all-pages.ts'
import { makePair } from './certificates.ts'

export interface Scene extends PagePlace {
  readonly act: (page: Page, say: Say) => Promise<void>
}

/** The words on the page, in its language. */
export type Say = (english: string, japanese: string) => string

type Words = readonly [english: string, japanese: string]

const button = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first()

/** Opens the dialog that a button asks with. */
function dialog(name: string, path: string, words: Words): Scene {
  return {
    ...{ name: `dialog-${name}`, path },
    act: async (page, say) => {
      await button(page, say(...words)).click()
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  }
}

const EDIT: Words = ['Edit', '編集']
const DELETE: Words = ['Delete', '削除']

const dialogs: readonly Scene[] = [
  dialog('sim-register', '/sims', ['Register a SIM', 'SIM を登録']),
  dialog('sim-edit', '/sims/{sim}', EDIT),
  dialog('sim-deactivate', '/sims/{sim}', ['Deactivate', '無効化']),
  dialog('sim-delete', '/sims/{sim}', DELETE),
  dialog('gateway-create', '/gateways', ['Create a gateway', 'ゲートウェイを作成']),
  dialog('gateway-edit', '/gateways/{gateway}', EDIT),
  dialog('project-create', '/iot', ['Create a project', 'プロジェクトを作成']),
  dialog('project-connect', '/iot/{project}', ['Connect a SIM', 'SIM を接続']),
  dialog('adapter-create', '/iot/{project}?tab=adapters', ['Create an adapter', 'アダプタを作成']),
  dialog('sms-create', '/sms', ['Create a service', 'サービスを作成']),
  dialog('site-create', '/webaccel', ['Create a site', 'サイトを作成']),
  dialog('site-delete', '/webaccel/900000099101', DELETE),
  dialog('account-create', '/operator/accounts', ['New account', 'アカウントを作成']),
  dialog('key-create', '/operator/accounts?account=demo', ['New key', 'キーを作成']),
  dialog('key-rotate', '/operator/accounts?account=demo', [
    'New secret: demo-view',
    'シークレット再発行: demo-view',
  ]),
  dialog('announce', '/maintenance', ['Announce a maintenance', 'メンテナンスを告知']),
  dialog('snapshot-load', '/operator/snapshots', ['Load: base', '復元: base']),
]

const filled: readonly Scene[] = [
  {
    ...{ name: 'palette', path: '/' },
    act: async (page, say) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: say('Find anything', '検索') }).fill('meter')
      await page.getByRole('option', { name: 'meter-1' }).waitFor()
    },
  },
  {
    ...{ name: 'keys', path: '/' },
    act: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').getByRole('button').first().waitFor()
    },
  },
  {
    ...{ name: 'filled-sim-register', path: '/sims' },
    act: async (page, say) => {
      await button(page, say('Register a SIM', 'SIM を登録')).click()
      const form = page.getByRole('dialog')
      await form.getByLabel('ICCID').fill('8981040000000001020')
      await form.getByLabel(say('Pass code', 'パスコード')).fill('wrong')
      await form.getByRole('button', { name: say('Register', '登録') }).click()
      await form.getByRole('alert').waitFor()
    },
  },
  {
    ...{ name: 'filled-sims-csv', path: '/sims/register' },
    act: async (page, say) => {
      const lines = ['iccid,code,name', '123,x,broken', '8981040000000001021,wrong,"one, two"']
      await page.getByRole('textbox').fill(lines.join('\n'))
      await button(page, say('Register 2 lines', '2 行を登録')).click()
      await page.getByText(say('2 of 2, 2 refused', '2 件中 2 件、失敗 2 件')).waitFor()
    },
  },
  {
    ...{ name: 'filled-sms', path: '/sms/900000099201' },
    act: async (page, say) => {
      await page.getByLabel(say('Destination', '宛先')).fill('+81 90')
      await page.getByLabel(say('Sender', '送信者名')).fill('Acme')
      await button(page, say('Send', '送信')).focus()
    },
  },
  {
    ...{ name: 'filled-fault', path: '/operator/faults' },
    act: async (page, say) => {
      await page.getByLabel(say('Effect', '障害の種類')).selectOption('latency')
      await page.getByLabel(say('Probability', '確率')).fill('0.5')
    },
  },
  {
    ...{ name: 'filled-certificate', path: '/webaccel/900000099101?tab=certificate' },
    act: async (page, say) => {
      const authority = makePair('/CN=Root', 'basicConstraints=critical,CA:TRUE')
      const names = 'subjectAltName=DNS:www.example.jp,DNS:example.jp'
      const own = makePair('/CN=www.example.jp/O=例', names, authority)
      await page
        .getByLabel(say('Certificate chain (PEM)', '証明書チェーン（PEM）'))
        .fill(`${own.certificate}\n${authority.certificate}`)
      await page.getByRole('region', { name: say('What will be sent', '送信する内容') }).waitFor()
    },
  },
  {
    ...{ name: 'filled-world', path: '/operator/world' },
    act: async (page, say) => {
      const text = page.getByLabel(say('Text of world.yaml', 'world.yaml の内容'))
      await text.fill('version: 1\naccounts:\n  - name: Nobody\n')
      await button(page, say('Apply', '適用')).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    ...{ name: 'filled-request', path: '/operator/requests?q=authStatus&console=1', isLive: true },
    act: async (page) => {
      await button(page, 'GET authStatus').click()
      await page
        .getByRole('dialog')
        .getByText(/^curl -X/)
        .waitFor()
    },
  },
]

export const allScenes: readonly Scene[] = [...dialogs, ...filled]
