import { defineTexts } from '../../i18n.ts'

export const signInText = defineTexts({
  title: ['Sign in', 'サインイン'],
  keyTitle: ['With an API key', 'API キーでサインイン'],
  token: ['Access token', 'アクセストークン'],
  secret: ['Access token secret', 'アクセストークンシークレット'],
  kept: [
    'Kept in this tab only, until it is closed.',
    'このタブを閉じるまで、このタブだけに保持されます。',
  ],
  signIn: ['Sign in', 'サインイン'],
  operatorTitle: ['With the operator token', 'オペレータートークンでサインイン'],
  operatorToken: ['Operator token', 'オペレータートークン'],
  operatorHint: [
    'The link in the banner of the server brings it along; it is also in operator.token of the data folder.',
    'サーバー起動時に表示されるリンクに含まれています。データフォルダーの operator.token にもあります。',
  ],
  missing: ['Both are needed.', '両方を入力してください。'],
  accountTitle: ['As an account', 'アカウントとしてサインイン'],
  account: ['Account', 'アカウント'],
  newKey: ['Open the account', 'アカウントを開く'],
  newKeyHint: [
    'With an API key that may do everything in the account. The console creates it when this tab has none, and revokes it when you sign out.',
    'このアカウントですべての操作ができる API キーを使います。このタブにない場合はコンソールが作成し、サインアウト時に失効させます。',
  ],
})
