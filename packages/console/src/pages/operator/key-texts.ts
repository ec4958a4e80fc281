import { defineTexts } from '../../i18n.ts'

export const keyText = defineTexts({
  note: ['Note', 'メモ'],
  rights: ['May do', 'できること'],
  expires: ['Ends', '有効期限'],
  expiresHint: ['In Japan’s time; empty means never.', '日本時間。空欄は無期限です。'],
  addresses: ['Works from', '使用できるアドレス'],
  addressesHint: [
    'Addresses and networks such as 192.0.2.0/24, separated by spaces; empty means everywhere.',
    '192.0.2.0/24 のようなアドレスやネットワークを空白で区切ります。空欄は制限なしです。',
  ],
  everywhere: ['everywhere', '制限なし'],
  never: ['never', 'なし'],
  lastUsed: ['Last used', '最終使用'],
  madeAt: ['made {time}', '作成 {time}'],
  change: ['Change', '変更'],
  changeKey: ['Change the key {token}', 'キー {token} の変更'],
  changed: ['The key {token} is changed.', 'キー {token} を変更しました。'],
})
