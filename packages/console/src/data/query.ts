/** Questions to the server as state: the answer so far, the error, and asking again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { wait } from './wait.ts'

export interface Query<T> {
  /** The last answer, also while a newer one is awaited. */
  readonly data: T | undefined
  readonly error: unknown
  readonly isLoading: boolean
  reload(): void
}

export interface QueryOptions {
  /** Asks again so many milliseconds after each answer; a hidden tab does not. */
  readonly everyMs?: number | undefined
  /** False asks nothing yet. */
  readonly when?: boolean
}

type Load<T> = (signal: AbortSignal) => Promise<T>

/** Asks when it is first drawn and when one of `inputs` changes; what is under way then is given up. */
export function useQuery<T>(
  load: Load<T>,
  inputs: readonly unknown[],
  { everyMs, when = true }: QueryOptions = {},
): Query<T> {
  const [state, setState] = useState<Omit<Query<T>, 'reload'>>({
    ...{ data: undefined, error: undefined, isLoading: when },
  })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const key = JSON.stringify(inputs)
  const lastKey = useRef(key)

  useEffect(() => {
    if (!when) return
    const ending = new AbortController()
    const isOther = lastKey.current !== key
    lastKey.current = key
    // What belongs to another question is not shown as the answer to this one.
    setState((old) => ({ ...old, ...(isOther && { data: undefined }), isLoading: true }))
    void follow(() => latest.current, everyMs, ending.signal, setState)
    return () => ending.abort()
  }, [key, round, when, everyMs])

  const reload = useCallback(() => setRound((old) => old + 1), [])
  return { ...state, reload }
}

async function follow<T>(
  load: () => Load<T>,
  everyMs: number | undefined,
  signal: AbortSignal,
  show: (state: (old: Omit<Query<T>, 'reload'>) => Omit<Query<T>, 'reload'>) => void,
): Promise<void> {
  for (;;) {
    try {
      const data = await load()(signal)
      if (signal.aborted) return
      show(() => ({ data, error: undefined, isLoading: false }))
    } catch (error) {
      if (signal.aborted) return
      show((old) => ({ ...old, error, isLoading: false }))
    }
    if (everyMs === undefined) return
    await wait(everyMs, signal)
    if (signal.aborted) return
  }
}
