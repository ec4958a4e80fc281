import { defineTexts } from '../../i18n.ts'

export const worldText = defineTexts({
  title: ['World file', 'ワールドファイル'],
  note: [
    'Accounts, keys, SIMs, gateways and all else of this server, as one file.',
    'アカウント・キー・SIM・ゲートウェイなど、このサーバーの内容を 1 つのファイルで扱います。',
  ],
  export: ['Export the world', 'ワールドを書き出す'],
  exported: [
    'The world was exported as world.json, without secrets.',
    'world.json を書き出しました（シークレットを除く）。',
  ],
  apply: ['Apply a world', 'ワールドを適用'],
  file: ['Open a file', 'ファイルを開く'],
  editPresent: ['Edit the present world', '現在のワールドを編集'],
  text: ['Text of {file}', '{file} の内容'],
  textHint: [
    'YAML or JSON. If anything in it is refused, nothing is changed.',
    'YAML または JSON。拒否される箇所があれば、何も変更されません。',
  ],
  mode: ['What is there already', '既存のもの'],
  add: ['stays as the API has changed it', 'API での変更を残す'],
  replace: ['becomes what the file says', 'ファイルの内容に戻す'],
  applyIt: ['Apply', '適用'],
  applied: ['The world was applied.', 'ワールドを適用しました。'],
  refusedAt: ['Refused at line {line}', '{line} 行目で拒否されました'],
  nothingChanged: ['Nothing was changed.', '何も変更されていません。'],
  changes: ['What was changed', '変更内容'],
  section: ['Section', 'セクション'],
  created: ['Created', '作成'],
  updated: ['Changed', '変更'],
  unchanged: ['Unchanged', '変更なし'],
})
