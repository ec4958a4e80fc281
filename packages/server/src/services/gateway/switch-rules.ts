import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId, Id } from '../../kernel/ids.ts'
import { parseIpv4 } from '../../kernel/ipv4.ts'
import type { Zone } from '../../kernel/zone.ts'

export type SwitchId = Id<'switch'>

/** What the account has noted about the network behind a switch. */
export interface UserSubnet {
  readonly defaultRoute: string
  readonly maskLength: number
}

export interface Switch {
  readonly id: SwitchId
  readonly accountId: AccountId
  readonly zone: Zone
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly iconId: string | undefined
  readonly userSubnet: UserSubnet | undefined
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export const MASK_LENGTH_MIN = 8
export const MASK_LENGTH_MAX = 30

export function checkUserSubnet(subnet: UserSubnet): UserSubnet {
  if (parseIpv4(subnet.defaultRoute) === undefined) {
    throw new BadRequest(
      'Switch.UserSubnet.DefaultRoute must be an IPv4 address.',
      'Switch.UserSubnet.DefaultRoute は IPv4 アドレスでなければなりません。',
    )
  }
  if (subnet.maskLength < MASK_LENGTH_MIN) {
    throw new BadRequest(
      `Switch.UserSubnet.NetworkMaskLen must be ${MASK_LENGTH_MIN} or more.`,
      `Switch.UserSubnet.NetworkMaskLen は ${MASK_LENGTH_MIN} 以上です。`,
    )
  }
  return subnet
}
