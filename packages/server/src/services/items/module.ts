import { CLOUD } from '../families.ts'
import { byKey, type Module } from '../module.ts'
import { itemsContract } from './contract.ts'
import { type ItemKind, ItemKinds } from './kind.ts'
import { itemsHandlers } from './routes.ts'

/** The kinds are other slices'; this one owns their path. */
export function itemsModule(kinds: readonly ItemKind[]): Module {
  return { operations: [byKey(CLOUD, itemsContract, itemsHandlers(new ItemKinds(kinds)))] }
}
