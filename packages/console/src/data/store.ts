/** Values that live outside the tree of components, and hooks that follow them. */
import { useEffect, useState } from 'preact/hooks'

export type Unsubscribe = () => void

export class Store<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }

  subscribe(listener: () => void): Unsubscribe {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Like React's, without its package of compatibility. */
export function useSyncExternalStore<T>(
  subscribe: (listener: () => void) => Unsubscribe,
  read: () => T,
): T {
  const [value, setValue] = useState(read)
  useEffect(() => {
    const look = () => setValue(() => read())
    // It may have changed between the first drawing and this subscription.
    look()
    return subscribe(look)
  }, [])
  return value
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.value,
  )
}
