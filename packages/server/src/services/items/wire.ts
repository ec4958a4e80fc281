import { japanTime } from '../../kernel/datetime.ts'
import { iconFromWire, iconToWire } from '../../kernel/icon.ts'
import type { Static } from '../../kernel/type.ts'
import type { itemsContract } from './contract.ts'
import type { ItemKind, KindDraft } from './kind.ts'
import type { Item, ItemChange } from './rules.ts'

export type Draft = Static<(typeof itemsContract)['itemCreate']['body']>['CommonServiceItem']
type Patch = Static<(typeof itemsContract)['itemUpdate']['body']>['CommonServiceItem']

export function itemToWire(item: Item, kind: ItemKind, status: object | null) {
  return {
    ID: item.id,
    Name: item.name,
    Description: item.description ?? null,
    Settings: null,
    SettingsHash: null,
    Status: status,
    ServiceClass: kind.serviceClass,
    Availability: item.availability,
    CreatedAt: japanTime(item.createdAt),
    ModifiedAt: japanTime(item.modifiedAt),
    Provider: {
      ID: kind.provider.id,
      Class: item.class,
      Name: kind.provider.name,
      ServiceClass: kind.provider.serviceClass,
    },
    Icon: iconToWire(item.iconId),
    Tags: [...item.tags],
  }
}

export function changeFromWire({ Name, Description, Tags, Icon }: Patch): ItemChange {
  return {
    name: Name,
    description: Description,
    tags: Tags ?? undefined,
    iconId: iconFromWire(Icon),
  }
}

export function kindDraftFromWire({ Name, Status, Remark }: Draft): KindDraft {
  return {
    name: Name ?? '',
    iccid: Status?.ICCID ?? undefined,
    passCode: Remark?.PassCode ?? undefined,
  }
}

/** As a world file has them. */
export function labelsForWorld({ name, description, tags }: Item) {
  return {
    Name: name,
    ...(description === undefined ? {} : { Description: description }),
    Tags: [...tags],
  }
}
