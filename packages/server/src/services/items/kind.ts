/**
 * The port between the shared collection and the kinds of items. `items` imports no kind; the
 * composition hands it those that there are.
 */
import { BadRequest } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import type { SearchFields } from '../../storage/search.ts'
import type { CountedQuota } from '../account/public.ts'
import type { Context } from '../context.ts'
import type { Item, NameLength } from './rules.ts'

export interface Provider {
  readonly id: number
  readonly name: string
  readonly serviceClass: string
}

/** What a creation says beyond the members that every item has. */
export interface KindDraft {
  readonly name: string
  readonly iccid: string | undefined
  readonly passCode: string | undefined
}

/** A draft that was accepted. */
export interface Prepared {
  /** The item's key outside, if any. */
  readonly externalKey: string | undefined
  /** Makes what belongs to the kind, at the same time as the item is made. */
  insert(id: ItemId): Promise<unknown>
}

export interface ItemKind {
  /** `Provider.Class`. */
  readonly class: string
  readonly provider: Provider
  /** As answers show it, which is not always what a request sends. */
  readonly serviceClass: string
  readonly nameLength: NameLength
  /** What limits how many an account may have. */
  readonly quota?: CountedQuota
  /** Refuses a draft that the kind cannot make an item of. */
  prepare(draft: KindDraft, context: Context): Promise<Prepared>
  /** Ends what belongs to the kind. Some kinds answer with the discontinued item, some do not. */
  remove(item: Item, context: Context): Promise<void>
  readonly answersRemoval: boolean
  /** By what of its `Status` it can be searched too; the columns are seen from the table `item`. */
  readonly searchFields?: SearchFields
  /** The `Status` of each item, read for all of them at once; `detail` asks for more (Include). */
  statuses(items: readonly Item[], context: Context, detail: readonly string[]): Promise<Statuses>
}

export type Statuses = ReadonlyMap<ItemId, object | null>

export class ItemKinds {
  readonly all: readonly ItemKind[]
  readonly #byClass: ReadonlyMap<string, ItemKind>

  constructor(kinds: readonly ItemKind[]) {
    this.all = kinds
    this.#byClass = new Map(kinds.map((kind) => [kind.class, kind]))
  }

  /** For a class that a caller names. */
  named(name: string): ItemKind {
    const kind = this.#byClass.get(name)
    if (kind === undefined) {
      const known = this.all.map((other) => other.class).join(', ') || 'none'
      throw new BadRequest(
        `CommonServiceItem.Provider.Class ${JSON.stringify(name)} is not known; there are: ${known}`,
        `CommonServiceItem.Provider.Class ${JSON.stringify(name)} は不明です。利用可能: ${known}`,
      )
    }
    return kind
  }

  /** For an item that exists. */
  of(item: Item): ItemKind {
    const kind = this.#byClass.get(item.class)
    if (kind === undefined)
      throw new Error(`Item ${item.id} is of the unknown class ${item.class}.`)
    return kind
  }
}
