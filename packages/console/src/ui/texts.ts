import { defineTexts } from '../i18n.ts'

export const uiText = defineTexts({
  nothing: ['Nothing here.', '何もありません。'],
  loading: ['Loading…', '読み込み中…'],
  close: ['Close', '閉じる'],
  cancel: ['Cancel', 'キャンセル'],
  copy: ['Copy', 'コピー'],
  copied: ['Copied.', 'コピーしました。'],
  serial: ['Serial', 'シリアル'],
  retry: ['Try again', '再試行'],
  noAnswer: ['The server did not answer.', 'サーバーが応答しません。'],
  uplink: ['Uplink', 'アップリンク'],
  downlink: ['Downlink', 'ダウンリンク'],
  time: ['Time', '日時'],
  noData: ['No data in this range.', 'この範囲にデータはありません。'],
  filters: ['Filters', '絞り込み'],
  filtersSet: ['Filters ({count} set)', '絞り込み（{count} 件指定）'],
  rows: ['{count} {count|row|rows}', '{count} 行'],
  chooseFile: ['Choose a file', 'ファイルを選択'],
  noFile: ['No file chosen', '選択されていません'],
})
