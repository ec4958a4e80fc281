/** When the clock can be moved; services/control/clock-rules.ts of the server decides. */
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
