/** What the kinds of items and the composition may use. */
export { type ItemKind, ItemKinds, type KindDraft, type Provider, type Statuses } from './kind.ts'
export type { Item } from './rules.ts'
export { ItemStore, listItemsOfClass } from './store.ts'
export { labelsForWorld } from './wire.ts'
