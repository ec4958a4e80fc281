/** What the owner of a gateway is told when the month's quota is passed. */
import type { AccountId } from '../../kernel/ids.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { GatewayId } from './rules.ts'
import { BYTES_PER_MB } from './traffic-rules.ts'

export interface Notice {
  readonly id: number
  readonly accountId: AccountId
  readonly gatewayId: GatewayId
  readonly gatewayName: string
  readonly channel: 'email' | 'chat'
  /** The host that is told, for chat; the rest of its address is the owner's secret. */
  readonly target: string | undefined
  readonly month: string
  readonly quotaMb: number
  readonly usedBytes: number
  /** E-mail is kept for the operator to read; nothing sends it (docs/gateways.md). */
  readonly status: 'kept' | 'waiting' | 'sent' | 'failed'
  readonly attempts: number
  readonly createdAt: Date
  readonly doneAt: Date | undefined
}

export type NoticeDraft = Pick<
  Notice,
  'accountId' | 'gatewayId' | 'gatewayName' | 'month' | 'quotaMb' | 'usedBytes'
>

export const CHAT_ATTEMPTS_MAX = 6
const FIRST_WAIT_SECONDS = 10

/** Twice as long each time; undefined when it has been tried often enough. */
export function nextAttempt(attempts: number, now: Date): Date | undefined {
  if (attempts >= CHAT_ATTEMPTS_MAX) return undefined
  return secondsAfter(now, FIRST_WAIT_SECONDS * 2 ** (attempts - 1))
}

export function noticeText({ gatewayId, gatewayName, month, quotaMb, usedBytes }: NoticeDraft) {
  const used = Math.floor(usedBytes / BYTES_PER_MB)
  const name = gatewayName === '' ? gatewayId : `${gatewayName} (${gatewayId})`
  return `Mobile gateway ${name} has passed its traffic quota of ${quotaMb} MB: ${used} MB in ${month.slice(0, 4)}-${month.slice(4)}.`
}
