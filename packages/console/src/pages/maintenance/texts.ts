import { defineTexts } from '../../i18n.ts'

export const maintenanceText = defineTexts({
  title: ['Maintenance', 'メンテナンス'],
  note: ['Announced work on hosts, in the time of Japan.', 'ホストの作業予定（日本時間）。'],
  previous: ['Previous month', '前の月'],
  next: ['Next month', '次の月'],
  today: ['This month', '今月'],
  show: ['Show', '表示'],
  all: ['All', 'すべて'],
  related: ['Those that touch me', '自分に関係するもの'],
  calendar: ['Calendar of {month}', '{month} のカレンダー'],
  list: ['Maintenances of {month}', '{month} のメンテナンス'],
  none: ['Nothing is announced for this month.', 'この月の予定はありません。'],
  what: ['What', '内容'],
  zone: ['Zone', 'ゾーン'],
  from: ['From', '開始'],
  until: ['Until', '終了'],
  resources: ['Resources', 'リソース'],
  info: ['Information', '詳細'],
})
