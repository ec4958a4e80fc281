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
  account: ['Account', 'アカウント'],
  accountNow: ['Account: {name}', 'アカウント: {name}'],
  chooseAccount: ['Choose an account', 'アカウントを選択'],
  otherKey: ['Sign in with another key …', '別の API キーでサインイン …'],
  operatorSignIn: ['Sign in as the operator …', 'オペレーターとしてサインイン …'],
  allAccounts: ['All accounts and keys', 'すべてのアカウントとキー'],
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
  virtualClock: ['Virtual clock', '仮想時計'],
})
