import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'

/** What every item has, whatever its kind. */
export interface Item {
  readonly id: ItemId
  readonly accountId: AccountId
  readonly class: string
  readonly name: string
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly iconId: string | undefined
  /** What the item stands for outside: the ICCID of a SIM. */
  readonly externalKey: string | undefined
  readonly availability: 'available' | 'discontinued'
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** The members that a caller sets; undefined leaves one as it is, null empties it. */
export interface ItemChange {
  readonly name: string | null | undefined
  readonly description: string | null | undefined
  readonly tags: readonly string[] | undefined
  readonly iconId: string | null | undefined
}

export interface NameLength {
  readonly min: number
  readonly max: number
}

/** Of an item, or of one that has no id yet. */
export function change<T extends Omit<Item, 'id'>>(
  item: T,
  wanted: ItemChange,
  name: NameLength,
  now: Date,
): T {
  const changed = {
    ...item,
    name: wanted.name === undefined ? item.name : (wanted.name ?? ''),
    description:
      wanted.description === undefined ? item.description : (wanted.description ?? undefined),
    tags: wanted.tags ?? item.tags,
    iconId: wanted.iconId === undefined ? item.iconId : (wanted.iconId ?? undefined),
    modifiedAt: now,
  }
  checkName(changed.name, name)
  return changed
}

export function checkName(name: string, { min, max }: NameLength): void {
  // Characters as people count them, one or two UTF-16 units each.
  if (name.length >= min * 2 && name.length <= max) return
  const length = [...name].length
  if (length < min || length > max) {
    throw new BadRequest(
      `CommonServiceItem.Name must have ${min} to ${max} characters; it has ${length}.`,
      `CommonServiceItem.Name は ${min}～${max} 文字です（現在 ${length} 文字）。`,
    )
  }
}
