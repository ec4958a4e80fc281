/** What a SIM is, and what may be done with it. */
import { BadRequest, Conflict } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'

/** Interface, Limits: 19 digits starting with 898104. */
export const SIM_CLASS = 'sim'

export const ICCID_PATTERN = '^898104[0-9]{13}$'
export const IMEI_PATTERN = '^[0-9]{1,16}$'
/** What a real IMEI has, with or without its check digit or software version (docs/sims.md). */
export const STRICT_IMEI_PATTERN = '^[0-9]{14,16}$'

export interface Sim {
  /** The id of its item. */
  readonly id: ItemId
  readonly accountId: AccountId
  readonly iccid: string
  readonly imsis: readonly string[]
  readonly registeredAt: Date
  readonly activated: boolean
  readonly activatedAt: Date | undefined
  readonly deactivatedAt: Date | undefined
  /** The only device that it works in; undefined while it is not locked. */
  readonly imei: string | undefined
  /** The carriers that it may use; undefined while it may use all. */
  readonly carriers: readonly string[] | undefined
  readonly gatewayId: string | undefined
  /** Its fixed address in the gateway. */
  readonly ip: number | undefined
}

export type SimDraft = Pick<Sim, 'id' | 'accountId' | 'iccid' | 'imsis'>

export function register(draft: SimDraft, now: Date): Sim {
  return {
    ...draft,
    registeredAt: now,
    activated: false,
    activatedAt: undefined,
    deactivatedAt: undefined,
    imei: undefined,
    carriers: undefined,
    gatewayId: undefined,
    ip: undefined,
  }
}

/** The date of the last deactivation stays (docs/sims.md). */
export function activate(sim: Sim, now: Date): Sim {
  if (sim.activated) {
    throw new Conflict(
      `SIM ${sim.id} is already activated.`,
      `SIM ${sim.id} はすでに有効化されています。`,
    )
  }
  return { ...sim, activated: true, activatedAt: now }
}

export function deactivate(sim: Sim, now: Date): Sim {
  if (!sim.activated) {
    throw new Conflict(`SIM ${sim.id} is not activated.`, `SIM ${sim.id} は有効化されていません。`)
  }
  return { ...sim, activated: false, deactivatedAt: now }
}

const iccid = new RegExp(ICCID_PATTERN)

/** The interface answers a broken ICCID with 409 and shows the pattern. */
export function checkIccid(text: string | undefined): string {
  if (text === undefined) {
    throw new BadRequest(
      'CommonServiceItem.Status.ICCID is missing.',
      'CommonServiceItem.Status.ICCID がありません。',
    )
  }
  if (!iccid.test(text)) {
    throw new Conflict(
      `CommonServiceItem.Status.ICCID must be 19 digits that begin with 898104 (pattern ${ICCID_PATTERN}).`,
      `CommonServiceItem.Status.ICCID は 898104 で始まる 19 桁の数字です（パターン ${ICCID_PATTERN}）。`,
      {
        headline: {
          en: 'This is not the ICCID of a SIM card.',
          ja: 'SIM カードの ICCID ではありません。',
        },
      },
    )
  }
  return text
}

export function lockToImei(sim: Sim, imei: string, isStrict: boolean): Sim {
  if (isStrict && !new RegExp(STRICT_IMEI_PATTERN).test(imei)) {
    throw new BadRequest(
      `sim.imei does not match the pattern ${STRICT_IMEI_PATTERN}`,
      `sim.imei がパターンに一致しません: ${STRICT_IMEI_PATTERN}`,
    )
  }
  return { ...sim, imei }
}
