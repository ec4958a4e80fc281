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
  readonly userSubnet: UserSubnet | undefined
  readonly createdAt: Date
  readonly modifiedAt: Date
}

export const MASK_LENGTH_MIN = 8
export const MASK_LENGTH_MAX = 30

export function checkUserSubnet(subnet: UserSubnet): UserSubnet {
  if (parseIpv4(subnet.defaultRoute) !== undefined) return subnet
  throw new BadRequest(
    'Switch.UserSubnet.DefaultRoute must be an IPv4 address.',
    'Switch.UserSubnet.DefaultRoute は IPv4 アドレスでなければなりません。',
  )
}
