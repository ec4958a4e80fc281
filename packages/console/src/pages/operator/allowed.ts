/** When the clock can be moved and a notice be sent; clock-rules.ts and notice-rules.ts of the server decide. */
import type { Notice } from '@kumoi/client'
import { type Conditions, defineAllowed } from '../../allowed.ts'

export interface ClockMode {
  readonly mode: string
  readonly hasTimers?: boolean
}

const isVirtual: Conditions<ClockMode>[number] = [
  ({ mode }) => mode !== 'real',
  [
    'A real clock cannot be moved; freeze it first.',
    '実時間の時計は動かせません。先に停止してください。',
  ],
]

export const clockReason = defineAllowed<
  ClockMode,
  'freeze' | 'makeReal' | 'advance' | 'nextTimer'
>({
  freeze: [[({ mode }) => mode !== 'frozen', ['It is frozen already.', 'すでに停止しています。']]],
  makeReal: [[({ mode }) => mode !== 'real', ['It is real already.', 'すでに実時間です。']]],
  advance: [isVirtual],
  nextTimer: [
    isVirtual,
    [
      ({ hasTimers }) => hasTimers === true,
      ['Nothing is waiting.', '待機中のタイマーはありません。'],
    ],
  ],
})

export interface NoticeState extends Pick<Notice, 'channel' | 'status'> {
  readonly sendsMail: boolean
  readonly hasContact: boolean
}

export const noticeReason = defineAllowed<NoticeState, 'resend'>({
  resend: [
    [
      ({ channel }) => channel === 'email',
      ['Only mail can be sent again.', '再送信できるのはメールだけです。'],
    ],
    [
      ({ status }) => status !== 'sent' && status !== 'waiting',
      ['It is sent or waiting already.', '送信済みまたは送信待ちです。'],
    ],
    [({ sendsMail }) => sendsMail, ['There is no mail server.', 'メールサーバーがありません。']],
    [
      ({ hasContact }) => hasContact,
      ['The account has no contact.', 'アカウントに通知先がありません。'],
    ],
  ],
})
