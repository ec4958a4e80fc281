import { defineTexts } from '../../i18n.ts'

export const edgeText = defineTexts({
  title: ['Edges', 'エッジ'],
  note: [
    'They deliver the sites of the web accelerator, in server processes and on other machines.',
    'ウェブアクセラレータのサイトを配信します（サーバープロセス内、または別のマシン）。',
  ],
  none: [
    'There is no edge. Start the server with --edge-port, or run kumoi edge on another machine.',
    'エッジはありません。サーバーを --edge-port 付きで起動するか、別のマシンで kumoi edge を実行します。',
  ],
  name: ['Name', '名前'],
  engine: ['Engine', 'エンジン'],
  here: ['in a server process', 'サーバープロセス内'],
  remote: ['on its own (kumoi edge)', '単独（kumoi edge）'],
  lastSeen: ['Last seen', '最終確認'],
  live: ['Live', '稼働中'],
  silent: ['Silent', '応答なし'],
  settings: ['Settings', '設定'],
  noSettings: ['None yet', '未取得'],
  upToDate: ['Up to date', '最新'],
  oldSettings: ['{seconds} s old', '{seconds} 秒前'],
  cache: ['Cache', 'キャッシュ'],
  objects: ['{objects} {objects|object|objects}', '{objects} 個'],
  hits: ['Hits', 'ヒット'],
  misses: ['Misses', 'ミス'],
  forget: ['Forget', '削除'],
  forgotten: ['The edge is forgotten.', 'エッジを削除しました。'],
})
