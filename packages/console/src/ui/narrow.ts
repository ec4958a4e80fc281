import { useSyncExternalStore } from '../data/store.ts'

/** As narrow as styles/narrow.css means a telephone to be. */
const narrow = globalThis.matchMedia?.('(max-width: 34rem)')

/** For what a style sheet cannot turn into another form. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow?.addEventListener('change', listener)
      return () => narrow?.removeEventListener('change', listener)
    },
    () => narrow?.matches ?? false,
  )
}
