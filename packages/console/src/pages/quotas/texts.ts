import { defineTexts } from '../../i18n.ts'

export const quotaText = defineTexts({
  quotas: ['Quotas', '上限'],
  quotasOf: ['Quotas of {name}', '{name} の上限'],
  own: [
    'What the account may have, and what it has. The operator sets the limits.',
    'アカウントの上限と使用量です。上限はオペレーターが設定します。',
  ],
  quota: ['Quota', '項目'],
  used: ['Used', '使用量'],
  limit: ['Limit', '上限値'],
  none: ['none', 'なし'],
  limitHint: ['Empty means no limit.', '空欄は上限なしです。'],
  save: ['Save', '保存'],
  saved: ['The quotas of {name} are changed.', '{name} の上限を変更しました。'],
  sims: ['SIMs', 'SIM'],
  gateways: ['Gateways', 'ゲートウェイ'],
  projects: ['IoT projects', 'IoT プロジェクト'],
  sites: ['Sites', 'サイト'],
  messages_per_day: ['Messages a day', '1 日の SMS 送信数'],
  requests_per_second: ['Requests a second', '1 秒のリクエスト数'],
  file_bytes: ['Bytes of files', 'ファイルのバイト数'],
})
