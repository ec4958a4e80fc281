/** What other slices, planes and the composition may use of network elements. */
export { COUNT_SHARDS, CountStore, type Heard } from './count-store.ts'
export { elements } from './elements.ts'
export type { NetworkElement, PublicElement } from './rules.ts'
export {
  ElementStore,
  findElements,
  getElement,
  listElements,
} from './store.ts'
