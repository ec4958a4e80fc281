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
  notFound: ['There is no such page.', 'このページは存在しません。'],
  needsKey: ['This page needs an API key.', 'このページには API キーが必要です。'],
  needsOperator: [
    'This page needs the operator token.',
    'このページにはオペレータートークンが必要です。',
  ],
  virtualClock: ['Virtual clock', '仮想時計'],
})
