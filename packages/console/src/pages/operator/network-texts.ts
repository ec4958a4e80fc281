import { defineTexts } from '../../i18n.ts'

export const networkText = defineTexts({
  title: ['Network elements', 'ネットワーク装置'],
  note: [
    'Packet gateways of real mobile networks, which ask and report by RADIUS.',
    '実際のモバイル網のパケットゲートウェイです。RADIUS で認証と通信量を通知します。',
  ],
  none: [
    'There is no network element. Declare one in the world file, or with kumoi network-element put.',
    'ネットワーク装置はありません。ワールドファイルか kumoi network-element put で登録します。',
  ],
  name: ['Name', '名前'],
  address: ['Address', 'アドレス'],
  lastSeen: ['Last seen', '最終受信'],
  never: ['Never', 'なし'],
  sessions: ['Sessions', 'セッション'],
  accepted: ['Accepted', '許可'],
  refused: ['Refused', '拒否'],
  packets: ['Accounting packets', '課金パケット'],
  carriers: ['Carriers', 'キャリア'],
  requests: ['Requests to {name}', '{name} への要求'],
  allRequests: ['Requests to elements', '装置への要求'],
  showAll: ['Show those of all elements', 'すべての装置の要求を表示'],
  noRequests: ['Nothing was asked of it.', '要求はありません。'],
  cannotSend: [
    'Nothing can be sent to elements: {detail}. {waiting} {waiting|request waits|requests wait}.',
    '装置に送信できません（{detail}）。{waiting} 件が送信待ちです。',
  ],
  time: ['Time', '日時'],
  request: ['Request', '要求'],
  disconnect: ['End the session', 'セッション終了'],
  coa: ['{rate} at most', '帯域 {rate} に制限'],
  coaEnd: ['No limit any more', '帯域制限を解除'],
  cause: ['Why', '理由'],
  sim: ['SIM', 'SIM'],
  element: ['Network element', 'ネットワーク装置'],
  answer: ['Answer', '応答'],
  attempts: ['Attempts', '試行回数'],
  waiting: ['Waiting', '送信待ち'],
  ack: ['Done', '完了'],
  nak: ['Refused', '拒否'],
  no_answer: ['No answer', '応答なし'],
  replaced: ['Replaced', '置き換え済み'],
  sessionId: ['Acct-Session-Id', 'Acct-Session-Id'],
  heard: ['Last packet', '最後のパケット'],
  cause_not_activated: ['The SIM was deactivated.', 'SIM が無効化されました。'],
  cause_imei_locked: ['The SIM was locked to another device.', 'SIM が別の端末に固定されました。'],
  cause_carrier_not_allowed: ['The carrier was forbidden.', 'キャリアが許可されなくなりました。'],
  cause_no_network: ['The SIM left its gateway.', 'SIM がゲートウェイから外されました。'],
  cause_gateway_down: ['The gateway went down.', 'ゲートウェイが停止しました。'],
  cause_not_registered: ['The card is not registered.', 'カードが登録されていません。'],
  cause_reconnect: ['A reconnection was asked for.', '再接続が要求されました。'],
  cause_attached_again: ['The SIM attached elsewhere.', 'SIM が別の場所で接続しました。'],
  cause_address_changed: ['The address or gateway changed.', 'IP かゲートウェイが変わりました。'],
  cause_sim_deleted: ['The SIM was deleted.', 'SIM が削除されました。'],
  cause_element_deleted: ['The element was removed.', '装置が削除されました。'],
  cause_detach: ['The operator detached the device.', 'オペレーターが切断しました。'],
  cause_shaping: ['The quota of the gateway.', 'ゲートウェイの通信量上限'],
})

const CAUSES = [
  'not_activated',
  'imei_locked',
  'carrier_not_allowed',
  'no_network',
  'gateway_down',
  'not_registered',
  'reconnect',
  'attached_again',
  'address_changed',
  'sim_deleted',
  'element_deleted',
  'detach',
  'shaping',
] as const

/** As a sentence; a cause that this console does not know stays as it is. */
export function causeText(cause: string): string {
  const known = CAUSES.find((one) => one === cause)
  return known === undefined ? cause : networkText(`cause_${known}`)
}
