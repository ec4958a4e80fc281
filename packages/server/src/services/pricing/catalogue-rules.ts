/** The built-in list: everything that Kumoi sells. A world's `prices` change it or add to it. */
import { ZONES, type Zone } from '../../kernel/zone.ts'
import type { Price, Product } from './rules.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const FREE: Price = { base: 0, hourly: 0, daily: 0, monthly: 0 }

const COMMON = { isPublic: true, unitBytes: 1 } as const

/** While a SIM is active. */
export const SIM_BASE: Product = {
  ...COMMON,
  serviceClassId: 50_010,
  path: 'cloud/sim/1',
  name: 'SIM base fee',
  displayName: 'SIM 基本料',
  measure: 'time',
  price: { ...FREE, monthly: 165, daily: 11, hourly: 1 },
}

/** By the place of the carrier in the world's list of three. */
export const SIM_TRAFFIC: readonly Product[] = [6, 7, 8].map((base, place) => ({
  ...COMMON,
  serviceClassId: 50_011 + place,
  path: `cloud/sim/traffic/${place + 1}`,
  name: `SIM traffic, carrier ${place + 1} (MiB)`,
  displayName: `SIM データ通信料 キャリア${place + 1}（1 MiB）`,
  measure: 'bytes',
  unitBytes: MIB,
  price: { ...FREE, base },
}))

export const IOT_PROJECT: Product = {
  ...COMMON,
  serviceClassId: 50_030,
  path: 'cloud/iotplatform/1',
  name: 'IoT platform project',
  displayName: 'IoT プラットフォーム プロジェクト',
  measure: 'time',
  price: { ...FREE, monthly: 110, daily: 11, hourly: 1 },
}

export const IOT_ADAPTER: Product = {
  ...COMMON,
  serviceClassId: 50_031,
  path: 'cloud/iotplatform/service/1',
  name: 'IoT platform service adapter',
  displayName: 'IoT プラットフォーム サービスアダプタ',
  measure: 'time',
  price: { ...FREE, monthly: 55, daily: 6, hourly: 1 },
}

/** Each message that was accepted. */
export const SMS_MESSAGE: Product = {
  ...COMMON,
  serviceClassId: 50_050,
  path: 'cloud/esme/1',
  name: 'Short message',
  displayName: 'SMS 送信（1 通）',
  measure: 'count',
  price: { ...FREE, base: 11 },
}

export const WEBACCEL_TRAFFIC: Product = {
  ...COMMON,
  serviceClassId: 50_070,
  path: 'cloud/webaccel/traffic',
  name: 'Web accelerator traffic (GiB)',
  displayName: 'ウェブアクセラレータ データ転送料（1 GiB）',
  measure: 'bytes',
  unitBytes: GIB,
  price: { ...FREE, base: 5 },
}

/** One a zone. is1z is not for everybody, so strangers do not see its price. */
const GATEWAYS: readonly Product[] = ZONES.map((zone, place) => ({
  ...COMMON,
  serviceClassId: 50_060 + place,
  path: 'cloud/appliance/mobilegateway/1',
  name: 'Mobile gateway',
  displayName: `モバイルゲートウェイ（${zone}）`,
  zone,
  isPublic: zone !== 'is1z',
  measure: 'time',
  price: { ...FREE, monthly: 1100, daily: 55, hourly: 5 },
}))

export function gatewayIn(zone: Zone): Product {
  const product = GATEWAYS.find((one) => one.zone === zone)
  if (product === undefined) throw new Error(`There is no gateway product in ${zone}.`)
  return product
}

/** A carrier that the world no longer names costs as the first one does. */
export function simTrafficOf(place: number): Product {
  const product = SIM_TRAFFIC[place] ?? SIM_TRAFFIC[0]
  if (product === undefined) throw new Error('There is no SIM traffic product.')
  return product
}

export const CATALOGUE: readonly Product[] = [
  SIM_BASE,
  ...SIM_TRAFFIC,
  IOT_PROJECT,
  IOT_ADAPTER,
  SMS_MESSAGE,
  ...GATEWAYS,
  WEBACCEL_TRAFFIC,
]
