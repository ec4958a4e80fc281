import { defineTexts } from '../../i18n.ts'

export const auditText = defineTexts({
  title: ['Audit trail', '監査証跡'],
  own: [
    'Who changed what in this account, by API key, command line, console or as the operator. Newest first.',
    'このアカウントに対する変更の記録です（APIキー、コマンドライン、コンソール、オペレーター）。新しい順に表示します。',
  ],
  all: [
    'Who changed what, in all accounts. Newest first. kumoi audit verify checks that no entry is missing or was changed.',
    '全アカウントの変更の記録です。新しい順に表示します。kumoi audit verify で欠落や改ざんがないことを確認できます。',
  ],
  none: ['No entry matches.', '該当する記録はありません。'],
  operation: ['Operation', '操作'],
  operationHint: ['itemCreate, …', 'itemCreate、…'],
  account: ['Account', 'アカウント'],
  allAccounts: ['All', 'すべて'],
  since: ['From day', '開始日'],
  until: ['To day', '終了日'],
  time: ['Time', '日時'],
  who: ['Who', '実行者'],
  operator: ['Operator', 'オペレーター'],
  key: ['Key {token}', 'キー {token}'],
  from: ['From', '接続元'],
  target: ['Target', '対象'],
  created: ['created {id}', '作成 {id}'],
  result: ['Result', '結果'],
  serial: ['Serial', 'シリアル'],
  older: ['Older entries', '以前の記録'],
  newest: ['Newest entries', '最新の記録'],
})
