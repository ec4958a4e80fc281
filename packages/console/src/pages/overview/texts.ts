import { defineTexts } from '../../i18n.ts'

export const overviewText = defineTexts({
  title: ['Overview', '概要'],
  sims: ['SIMs', 'SIM'],
  gateways: ['Gateways in {zone}', '{zone} のゲートウェイ'],
  projects: ['IoT projects', 'IoT プロジェクト'],
  sms: ['SMS services', 'SMS サービス'],
  sites: ['Sites', 'サイト'],
  sessions: ['Live sessions', '接続中のセッション'],
  faults: ['Armed faults', '設定済みの障害'],
  server: ['Server', 'サーバー'],
  health: ['Health', '稼働状態'],
  ready: ['Ready', '稼働中'],
  notReady: ['Not ready', '準備中'],
  clock: ['Clock', '時計'],
  rate: ['Requests a second', '1 秒あたりのリクエスト数'],
  rateLabel: [
    'Requests a second in the last minute; now {now}, at most {most}',
    '直近 1 分間の 1 秒あたりリクエスト数。現在 {now}、最大 {most}',
  ],
  rateSince: ['A minute ago', '1 分前'],
  rateMost: ['At most {most}', '最大 {most}'],
  rateNow: ['Now', '現在'],
  real: ['real', '実時間'],
  frozen: ['frozen', '停止中'],
  scaled: ['scaled', '倍速'],
  attention: ['Needs attention', '要対応'],
  nothing: ['Nothing needs attention.', '対応が必要な項目はありません。'],
  notAll: ['Some of it could not be looked at: {parts}.', '一部は確認できませんでした: {parts}。'],
  quotaPassed: [
    'Gateway {name} has passed its quota: {used} of {quota}.',
    'ゲートウェイ {name} が通信量の上限を超えました: {used} / {quota}。',
  ],
  refused: [
    'The device of SIM {name} was refused ({reason}). {remedy}',
    'SIM {name} のデバイスが拒否されました（{reason}）。{remedy}',
  ],
  notice: [
    'A notice for gateway {id} could not be delivered.',
    'ゲートウェイ {id} の通知を配送できませんでした。',
  ],
  webhooks: [
    '{count} {count|webhook|webhooks} of project {name} {count|was|were} given up.',
    'プロジェクト {name} の Webhook {count} 件の配送を断念しました。',
  ],
  messages: [
    '{count} short {count|message has|messages have} failed.',
    'SMS {count} 件の送信に失敗しました。',
  ],
  certificate: [
    'The certificate of site {name} ends at {time}.',
    'サイト {name} の証明書の有効期限は {time} です。',
  ],
  certificateOver: [
    'The certificate of site {name} has ended at {time}.',
    'サイト {name} の証明書は {time} に期限切れになりました。',
  ],
  maintenance: [
    'Maintenance “{title}” touches you: {start} to {end}.',
    'メンテナンス「{title}」の対象です: {start} 〜 {end}。',
  ],
  quotas: ['quotas', '通信量'],
  refusals: ['refusals', '接続拒否'],
  deadLetters: ['dead letters', '配送不能'],
  certificates: ['certificates', '証明書'],
  maintenances: ['maintenances', 'メンテナンス'],
})
