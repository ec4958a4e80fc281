/** When an action on a SIM is possible; services/sim/rules.ts and routes.ts of the server decide. */
import { defineAllowed } from '../../allowed.ts'
import type { SimDetail } from './sim.ts'

export type SimState = Pick<SimDetail, 'activated' | 'session_status'> &
  Partial<Pick<SimDetail, 'simgroup_id' | 'ip' | 'imei_lock'>>

export const simReason = defineAllowed<
  SimState,
  | 'activate'
  | 'deactivate'
  | 'reconnect'
  | 'setIp'
  | 'clearIp'
  | 'unlock'
  | 'leaveGateway'
  | 'joinGateway'
>({
  activate: [[(sim) => !sim.activated, ['It is active already.', 'すでに有効です。']]],
  deactivate: [[(sim) => sim.activated, ['It is not active.', '有効ではありません。']]],
  reconnect: [
    [
      (sim) => sim.session_status === 'UP',
      ['It has no session.', '接続中のセッションがありません。'],
    ],
  ],
  setIp: [
    [
      (sim) => sim.simgroup_id !== undefined,
      ['It is in no gateway.', 'ゲートウェイに所属していません。'],
    ],
    [
      (sim) => sim.ip === undefined,
      [
        'It has an address already; take that away first.',
        'IP アドレスが設定済みです。先に解除してください。',
      ],
    ],
  ],
  clearIp: [
    [(sim) => sim.ip !== undefined, ['It has no fixed address.', '固定 IP アドレスがありません。']],
  ],
  unlock: [
    [
      (sim) => sim.imei_lock === true,
      ['It is not locked to a device.', 'IMEI ロックされていません。'],
    ],
  ],
  leaveGateway: [
    [
      (sim) => sim.simgroup_id !== undefined,
      ['It is in no gateway.', 'ゲートウェイに所属していません。'],
    ],
  ],
  joinGateway: [
    [
      (sim) => sim.simgroup_id === undefined,
      ['It is in a gateway already.', 'すでにゲートウェイに所属しています。'],
    ],
  ],
})
