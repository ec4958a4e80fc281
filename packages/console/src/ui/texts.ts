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
  asTable: ['Show as a table', '表で見る'],
  othersZero: ['In all other steps nothing was counted.', 'ほかの区間は 0 です。'],
  running: ['The last part is still being counted.', '最後の区間は集計中です。'],
  runningTime: ['{time} (still counting)', '{time}（集計中）'],
  chooseFile: ['Choose a file', 'ファイルを選択'],
  noFile: ['No file chosen', '選択されていません'],
})
