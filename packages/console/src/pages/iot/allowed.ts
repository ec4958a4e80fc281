import type { IoTPlatform, Webhook } from '@kumoi/client'
import { defineAllowed } from '../../allowed.ts'

export interface ProjectState {
  readonly sims: number
  readonly adapters: number
}

export const projectAllowed = defineAllowed<ProjectState, 'delete'>({
  delete: [
    [
      ({ sims }) => sims === 0,
      ['Disconnect its SIMs first.', '先に SIM の接続を解除してください。'],
    ],
    [
      ({ adapters }) => adapters === 0,
      ['Delete its adapters first.', '先にアダプタを削除してください。'],
    ],
  ],
})

export const simAllowed = defineAllowed<IoTPlatform, 'setIp' | 'releaseIp' | 'disconnect'>({
  setIp: [
    [
      ({ ip_address }) => ip_address === null,
      ['It has an address already.', '既に IP アドレスがあります。'],
    ],
  ],
  releaseIp: [
    [({ ip_address }) => ip_address !== null, ['It has no address.', 'IP アドレスがありません。']],
  ],
  disconnect: [
    [
      ({ ip_address }) => ip_address === null,
      ['Release its address first.', '先に IP アドレスを解除してください。'],
    ],
  ],
})

export const webhookAllowed = defineAllowed<Webhook, 'redeliver'>({
  redeliver: [
    [({ status }) => status !== 'waiting', ['It is waiting already.', '既に待機中です。']],
  ],
})
