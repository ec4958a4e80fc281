/** What the kinds of items and the composition may use. */
export { type ItemKind, ItemKinds, type KindDraft, type Provider, type Statuses } from './kind.ts'
export {
  DESCRIPTION_LENGTH_MAX,
  type Item,
  NAME_LENGTH_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from './rules.ts'
export { ItemStore, isItemIdTaken } from './store.ts'
