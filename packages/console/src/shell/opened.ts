import { Store } from '../data/store.ts'

/** What is open in front of all pages. */
export const opened = new Store<'palette' | 'help' | undefined>(undefined)
