/** When an action on a gateway is possible; services/gateway/rules.ts of the server decides. */
import { type Conditions, defineAllowed } from '../../allowed.ts'

export interface GatewayState {
  readonly Availability?: 'migrating' | 'available'
  readonly Instance?: { readonly Status: 'up' | 'down' } | null
  readonly isConnected?: boolean
}

const made: Conditions<GatewayState>[number] = [
  ({ Availability }) => Availability === 'available',
  ['It is still being made.', '作成中です。'],
]
const up: Conditions<GatewayState>[number] = [
  ({ Instance }) => Instance?.Status === 'up',
  ['It is down.', '停止中です。'],
]
const down: Conditions<GatewayState>[number] = [
  ({ Instance }) => Instance?.Status !== 'up',
  ['It is up.', '起動中です。'],
]

export const gatewayReason = defineAllowed<
  GatewayState,
  'powerOn' | 'powerOff' | 'restart' | 'connect' | 'disconnect'
>({
  powerOn: [made, down],
  powerOff: [made, up],
  restart: [made, up],
  connect: [
    [({ isConnected }) => isConnected !== true, ['It is connected already.', '接続済みです。']],
  ],
  disconnect: [
    [({ isConnected }) => isConnected === true, ['It is not connected.', '接続されていません。']],
  ],
})
