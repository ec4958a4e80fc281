/**
 * What a mobile gateway is, and what its state allows. A gateway becomes available by the passing of
 * time alone, so that is computed from `availableAt` and never stored: every process and every read
 * sees it at the same instant, whether or not a job has run (docs/adr/0019-computed-state.md).
 */
import { Conflict, PowerMustBeDown, StillCreating } from '../../kernel/errors.ts'
import type { AccountId, Id } from '../../kernel/ids.ts'
import type { Cidr } from '../../kernel/ipv4.ts'
import type { GatewayHabits } from '../../kernel/profile.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { Zone } from '../../kernel/zone.ts'
import { type GatewaySettings, withSettings } from './settings-rules.ts'
import type { SwitchId } from './switch-rules.ts'

export type GatewayId = Id<'gateway'>

export const GATEWAY_CLASS = 'mobilegateway' as const
export const GATEWAY_SERVICE_CLASS = 'cloud/appliance/mobilegateway/1'

export interface Gateway {
  readonly id: GatewayId
  readonly accountId: AccountId
  readonly zone: Zone
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly iconId: string | undefined
  readonly planId: number
  /** As the caller stored them; the network does not know them yet. */
  readonly settings: GatewaySettings | undefined
  /** As `/config` last handed them to the network. */
  readonly appliedSettings: GatewaySettings | undefined
  readonly availableAt: Date
  /** Counts from `availableAt` on. */
  readonly power: 'up' | 'down'
  readonly powerChangedAt: Date
  readonly publicAddress: number
  readonly publicSubnet: Cidr
  readonly switchId: SwitchId | undefined
  readonly createdAt: Date
}

/** The members that a caller sets; undefined leaves one as it is, null empties it. */
export interface LabelChange {
  readonly name: string | null | undefined
  readonly description: string | null | undefined
  readonly tags: readonly string[] | null | undefined
  readonly iconId: string | null | undefined
}

export interface Labels {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly iconId: string | undefined
}

export interface GatewayChange extends LabelChange {
  readonly settings: GatewaySettings | undefined
  /** What the caller believes the stored settings to be. */
  readonly settingsHash: string | undefined
}

/** Further apart than the clocks of servers on one database are. */
const SET_BACK_SECONDS = 60

/** One that was created after this is made already: the clock was set back since. */
export function setBackAfter(now: Date): Date {
  return secondsAfter(now, SET_BACK_SECONDS)
}

export function isAvailable({ availableAt, createdAt }: Gateway, now: Date): boolean {
  return availableAt <= now || createdAt > setBackAfter(now)
}

export function isUp(gateway: Gateway, now: Date): boolean {
  return isAvailable(gateway, now) && gateway.power === 'up'
}

export function changeLabels<T extends Labels>(thing: T, wanted: LabelChange): T {
  return {
    ...thing,
    name: wanted.name === undefined ? thing.name : (wanted.name ?? ''),
    description: wanted.description === undefined ? thing.description : (wanted.description ?? ''),
    tags: wanted.tags === undefined ? thing.tags : (wanted.tags ?? []),
    iconId: wanted.iconId === undefined ? thing.iconId : (wanted.iconId ?? undefined),
  }
}

export function change(gateway: Gateway, wanted: GatewayChange): Gateway {
  const settings = withSettings(gateway.settings, wanted.settings, wanted.settingsHash)
  return { ...changeLabels(gateway, wanted), settings }
}

/** The one way by which stored settings reach the network (docs/gateways.md). */
export function applySettings(gateway: Gateway): Gateway {
  return { ...gateway, appliedSettings: gateway.settings }
}

export function powerOn(gateway: Gateway, now: Date): Gateway {
  checkMade(gateway, now)
  if (gateway.power === 'up') throw alreadyThere(gateway, 'up')
  return { ...gateway, power: 'up', powerChangedAt: now }
}

export function powerOff(gateway: Gateway, now: Date): Gateway {
  checkMade(gateway, now)
  if (gateway.power === 'down') throw alreadyThere(gateway, 'down')
  return { ...gateway, power: 'down', powerChangedAt: now }
}

/** Down and up again in one step: its sessions end, and devices may come back at once. */
export function reset(gateway: Gateway, now: Date): Gateway {
  checkMade(gateway, now)
  if (gateway.power === 'down') throw alreadyThere(gateway, 'down')
  return { ...gateway, powerChangedAt: now }
}

export function connect(
  gateway: Gateway,
  switchId: SwitchId,
  habits: GatewayHabits,
  now: Date,
): Gateway {
  if (habits.switchNeedsPowerDown) checkDown(gateway, now)
  if (gateway.switchId !== undefined) {
    throw new Conflict(
      `The private interface of gateway ${gateway.id} is connected to switch ${gateway.switchId}.`,
      `ゲートウェイ ${gateway.id} のプライベートインターフェースはスイッチ ${gateway.switchId} に接続されています。`,
    )
  }
  return { ...gateway, switchId }
}

export function disconnect(gateway: Gateway): Gateway {
  if (gateway.switchId === undefined) {
    throw new Conflict(
      `The private interface of gateway ${gateway.id} is connected to no switch.`,
      `ゲートウェイ ${gateway.id} のプライベートインターフェースはスイッチに接続されていません。`,
    )
  }
  return { ...gateway, switchId: undefined }
}

export function checkDeletable(gateway: Gateway, habits: GatewayHabits, now: Date): void {
  if (habits.deletionNeedsPowerDown) checkDown(gateway, now)
}

/** Routes lead through the private interface that the network knows. */
export function checkRoutable(gateway: Gateway, habits: GatewayHabits): void {
  if (!habits.routesNeedPrivateInterface || gateway.appliedSettings?.privateInterface) return
  throw new Conflict(
    `No settings with a private interface have been applied to gateway ${gateway.id}.`,
    `ゲートウェイ ${gateway.id} にプライベートインターフェースの設定が反映されていません。`,
  )
}

function checkDown(gateway: Gateway, now: Date): void {
  if (!isUp(gateway, now)) return
  throw new PowerMustBeDown(
    `Gateway ${gateway.id} is up; turn it off first.`,
    `ゲートウェイ ${gateway.id} は起動中です。先に電源を切ってください。`,
  )
}

function checkMade(gateway: Gateway, now: Date): void {
  if (isAvailable(gateway, now)) return
  throw new StillCreating(
    `Gateway ${gateway.id} is still being made.`,
    `ゲートウェイ ${gateway.id} は作成中です。`,
  )
}

function alreadyThere(gateway: Gateway, power: Gateway['power']): Conflict {
  return new Conflict(
    `Gateway ${gateway.id} is ${power}.`,
    `ゲートウェイ ${gateway.id} の電源は既に ${power} です。`,
  )
}
