import { japanTime } from '../../kernel/datetime.ts'
import { iconFromWire, iconToWire } from '../../kernel/icon.ts'
import type { Static } from '../../kernel/type.ts'
import { zoneId } from '../../kernel/zone.ts'
import type { LabelChange } from './rules.ts'
import type { switchContract } from './switch-contract.ts'
import type { Switch, UserSubnet } from './switch-rules.ts'

type Patch = Static<(typeof switchContract)['switchUpdate']['body']>['Switch']

export interface SwitchChange extends LabelChange {
  /** Undefined leaves it, null takes it away. */
  readonly userSubnet: UserSubnet | null | undefined
}

export function switchToWire(item: Switch, isConnected: boolean) {
  return {
    ID: item.id,
    Name: item.name,
    Description: item.description,
    Tags: [...item.tags],
    Icon: iconToWire(item.iconId),
    Scope: 'user' as const,
    Subnet: null,
    Subnets: [],
    UserSubnet:
      item.userSubnet === undefined
        ? null
        : {
            DefaultRoute: item.userSubnet.defaultRoute,
            NetworkMaskLen: item.userSubnet.maskLength,
          },
    ServerCount: 0 as const,
    ApplianceCount: isConnected ? 1 : 0,
    Zone: { ID: zoneId(item.zone), Name: item.zone },
    CreatedAt: japanTime(item.createdAt),
    ModifiedAt: japanTime(item.modifiedAt),
  }
}

export function switchFromWire({ Name, Description, Tags, Icon, UserSubnet }: Patch): SwitchChange {
  return {
    name: Name,
    description: Description,
    tags: Tags,
    iconId: iconFromWire(Icon),
    userSubnet: subnetFromWire(UserSubnet),
  }
}

function subnetFromWire(subnet: Patch['UserSubnet']): SwitchChange['userSubnet'] {
  if (subnet === undefined || subnet === null) return subnet
  const { DefaultRoute: defaultRoute, NetworkMaskLen: maskLength } = subnet
  return defaultRoute === '' && maskLength === 0 ? null : { defaultRoute, maskLength }
}
