import type { Element } from '@kumoi/client'
import { cloud } from '../../session.ts'

export type Item = Omit<Element<'itemList'>, 'Index'>

/** All items of a class, which are few where this is used. */
export async function listItems(providerClass: string, signal: AbortSignal): Promise<Item[]> {
  const search = { Filter: { 'Provider.Class': providerClass }, Sort: ['Name'] }
  const items: Item[] = []
  for await (const item of cloud().each.itemList({ search }, { signal })) items.push(item)
  return items
}

export function matchesText(item: Item, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [item.ID, item.Name, item.Description, ...(item.Tags ?? [])].some((value) =>
    (value ?? '').toLowerCase().includes(wanted),
  )
}
