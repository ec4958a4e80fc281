/** A stream that does not end as state: its newest things, newest first. */
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Live<T> {
  readonly items: readonly T[]
  readonly isOpen: boolean
  readonly error: unknown
  clear(): void
}

export type Follow<T> = (signal: AbortSignal, onOpen: () => void) => AsyncGenerator<T, void>

/** Drawn this often at most, however many things come. */
const DRAW_MS = 200

/** While `isPaused` what comes is kept and not shown. */
export function useLive<T>(
  follow: Follow<T>,
  { most, isPaused = false }: { most: number; isPaused?: boolean },
): Live<T> {
  const [shown, setShown] = useState<readonly T[]>([])
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const kept = useRef<T[]>([])
  useEffect(() => {
    const ending = new AbortController()
    const run = async () => {
      for await (const item of follow(ending.signal, () => setOpen(true))) {
        kept.current.unshift(item)
        kept.current.length = Math.min(kept.current.length, most)
      }
    }
    run().catch((cause: unknown) => {
      if (!ending.signal.aborted) setError(cause)
    })
    return () => ending.abort()
  }, [])
  useEffect(() => {
    if (isPaused) return
    const draw = () =>
      setShown((old) =>
        old[0] === kept.current[0] && old.length === kept.current.length ? old : [...kept.current],
      )
    draw()
    const timer = setInterval(draw, DRAW_MS)
    return () => clearInterval(timer)
  }, [isPaused])
  const clear = () => {
    kept.current = []
    setShown([])
  }
  return { items: shown, isOpen, error, clear }
}
