/** Something that a reader does: busy while it runs, told of when it is done or refused. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { showToast } from './toasts.ts'

export interface Action<A extends readonly unknown[]> {
  readonly isBusy: boolean
  readonly error: unknown
  /** Answers whether it was done; an error is kept in `error`. */
  run(...given: A): Promise<boolean>
  clear(): void
}

export function useAction<A extends readonly unknown[]>(
  work: (...given: A) => Promise<unknown>,
  /** Said when it is done; a function is given what was done it with. */
  done?: string | ((...given: A) => string),
): Action<A> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const isThere = useRef(true)
  useEffect(
    () => () => {
      isThere.current = false
    },
    [],
  )
  return {
    isBusy,
    error,
    clear: () => setError(undefined),
    async run(...given) {
      setBusy(true)
      setError(undefined)
      try {
        await work(...given)
        if (done !== undefined) showToast(typeof done === 'string' ? done : done(...given))
        return true
      } catch (cause) {
        if (isThere.current) setError(cause)
        return false
      } finally {
        if (isThere.current) setBusy(false)
      }
    },
  }
}
