import { defineTexts } from '../i18n.ts'

export const shellText = defineTexts({
  skip: ['Skip to content', '本文へ移動'],
  menu: ['Menu', 'メニュー'],
  main: ['Pages', 'ページ'],
  zone: ['Zone', 'ゾーン'],
  language: ['Language', '言語'],
  theme: ['Appearance', '表示'],
  system: ['System', 'システム'],
  light: ['Light', 'ライト'],
  dark: ['Dark', 'ダーク'],
  signOut: ['Sign out', 'サインアウト'],
  signIn: ['Sign in', 'サインイン'],
  operator: ['Operator', 'オペレーター'],
  toOverview: ['Go to the overview', '概要へ'],
  notFound: ['There is no such page.', 'このページは存在しません。'],
  needsKey: ['This page needs an API key.', 'このページには API キーが必要です。'],
  needsOperator: [
    'This page needs the operator token.',
    'このページにはオペレータートークンが必要です。',
  ],
  operatorElsewhere: [
    'The operator API has a listener of its own (--operator-port). The operator’s pages are there, at the address that the server prints as “Operator” when it starts.',
    'オペレーター API は専用ポート（--operator-port）にあります。オペレーターのページは、起動時に「Operator」として表示されるアドレスで開いてください。',
  ],
  apiElsewhere: [
    'This listener is the operator’s alone. The other pages are at the address that the server prints as “API” when it starts.',
    'このポートはオペレーター専用です。他のページは、起動時に「API」として表示されるアドレスで開いてください。',
  ],
  find: ['Find anything', '検索'],
  findHint: ['A page, a SIM, a gateway or an action', 'ページ、SIM、ゲートウェイ、操作'],
  foundNothing: ['Nothing of this name is found.', '該当するものがありません。'],
  paletteKeys: [
    '↑ ↓ to choose, Enter to open, Esc to close',
    '↑ ↓ で選択、Enter で開く、Esc で閉じる',
  ],
  page: ['Page', 'ページ'],
  action: ['Action', '操作'],
  sim: ['SIM', 'SIM'],
  gateway: ['Gateway', 'ゲートウェイ'],
  keys: ['Keyboard shortcuts', 'キーボードショートカット'],
  virtualClock: ['Virtual clock', '仮想時計'],
})
