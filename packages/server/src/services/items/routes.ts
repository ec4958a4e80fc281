import type { Handlers } from '../../kernel/contract.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import { selectFields } from '../../kernel/search-query.ts'
import { checkQuota } from '../account/public.ts'
import type { Context } from '../context.ts'
import { Meter } from '../metering/public.ts'
import type { itemsContract } from './contract.ts'
import type { ItemKind, ItemKinds } from './kind.ts'
import { PageMarkStore } from './page-mark-store.ts'
import { change, type Item } from './rules.ts'
import { searchFields } from './search-fields.ts'
import { ItemStore } from './store.ts'
import { changeFromWire, type Draft, itemToWire, kindDraftFromWire } from './wire.ts'

export function itemsHandlers(kinds: ItemKinds): Handlers<typeof itemsContract, Context> {
  const fields = searchFields(kinds.all)
  const marks = new PageMarkStore()
  return {
    async itemList({ query }, context) {
      const store = new ItemStore(context.tx, context.caller.accountId)
      const { total, items } = await store.list(query, fields, marks)
      const detail = query.include?.filter((path) => !query.exclude.includes(path)) ?? []
      const statuses = await statusesOf(items, kinds, context, detail)
      const found = items.map((item, position) => {
        const wire = itemToWire(item, kinds.of(item), statuses.get(item.id) ?? null)
        const selected = selectFields(wire, query.include, query.exclude)
        return { ...selected, Index: query.from + position }
      })
      return { From: query.from, Count: found.length, Total: total, CommonServiceItems: found }
    },

    async itemRead({ params }, context) {
      const item = await new ItemStore(context.tx, context.caller.accountId).get(params.id)
      return { CommonServiceItem: await present(item, kinds.of(item), context) }
    },

    itemCreate: ({ body }, context) => createItem(kinds, body.CommonServiceItem, context),
    itemCreateByPut: ({ body }, context) => createItem(kinds, body.CommonServiceItem, context),

    async itemUpdate({ params, body }, context) {
      const store = new ItemStore(context.tx, context.caller.accountId)
      const item = await store.get(params.id)
      const kind = kinds.of(item)
      const changed = change(
        item,
        changeFromWire(body.CommonServiceItem),
        kind.nameLength,
        context.now,
      )
      await store.update(changed)
      await new Meter(context.tx).rename(changed.id, changed.name)
      return { CommonServiceItem: await present(changed, kind, context), Success: true }
    },

    async itemDelete({ params }, context) {
      const store = new ItemStore(context.tx, context.caller.accountId)
      const item = await store.get(params.id)
      const kind = kinds.of(item)
      // Shown as it was just before it goes.
      const last = await present({ ...item, availability: 'discontinued' }, kind, context)
      await kind.remove(item, context)
      await store.delete(item)
      return kind.answersRemoval ? { CommonServiceItem: last, Success: true } : {}
    },
  }
}

async function createItem(kinds: ItemKinds, draft: Draft, context: Context) {
  const kind = kinds.named(draft.Provider.Class)
  const { tx, caller, now } = context
  const { accountId } = caller
  const blank = { ...BLANK, accountId, class: kind.class, createdAt: now, modifiedAt: now }
  const named = change(blank, changeFromWire(draft), kind.nameLength, now)
  // Together: one round trip on PostgreSQL for what is looked up, and one for what is inserted.
  const [number, { externalKey, insert }] = await Promise.all([
    tx.next('resource'),
    kind.prepare(kindDraftFromWire(draft), context),
  ])
  if (kind.quota !== undefined) await checkQuota(tx, caller, kind.quota, now)
  const item: Item = { ...named, id: idFromNumber<'item'>(number), externalKey }
  await Promise.all([insert(item.id), new ItemStore(tx, accountId).insert(item)])
  return { CommonServiceItem: await present(item, kind, context), Success: true as const }
}

const BLANK = {
  name: '',
  description: undefined,
  tags: [],
  iconId: undefined,
  externalKey: undefined,
  availability: 'available',
} as const

async function present(item: Item, kind: ItemKind, context: Context) {
  const statuses = await kind.statuses([item], context, [])
  return itemToWire(item, kind, statuses.get(item.id) ?? null)
}

/** One question per kind, however many items there are. */
async function statusesOf(
  items: readonly Item[],
  kinds: ItemKinds,
  context: Context,
  detail: readonly string[],
): Promise<ReadonlyMap<string, object | null>> {
  const all = new Map<string, object | null>()
  for (const kind of kinds.all) {
    const own = items.filter((item) => item.class === kind.class)
    if (own.length === 0) continue
    for (const [id, status] of await kind.statuses(own, context, detail)) all.set(id, status)
  }
  return all
}
