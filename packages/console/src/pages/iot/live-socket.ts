/** The messages of a project as they come, by the websocket of one of its adapters. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export interface Received {
  /** Counts up, for the order and as a key. */
  readonly at: number
  readonly text: string
}

export interface LiveSocket {
  readonly state: 'closed' | 'opening' | 'open'
  /** Why it ended, when it was not the reader who ended it. */
  readonly code: number | undefined
  readonly received: readonly Received[]
  /** Fulfilled when it is open, or has failed. */
  open(url: string): Promise<void>
  close(): void
  clear(): void
  send(text: string): void
}

/** More than a reader can look through. */
const KEPT = 200

export function useLiveSocket(): LiveSocket {
  const [state, setState] = useState<LiveSocket['state']>('closed')
  const [code, setCode] = useState<number>()
  const [received, setReceived] = useState<readonly Received[]>([])
  const socket = useRef<WebSocket>(undefined)
  const count = useRef(0)
  const close = useCallback(() => {
    const ended = socket.current
    socket.current = undefined
    ended?.close()
    setState('closed')
  }, [])
  useEffect(() => close, [])
  const open = (url: string): Promise<void> => {
    close()
    setCode(undefined)
    setState('opening')
    const opened = new WebSocket(url)
    socket.current = opened
    opened.onopen = () => setState('open')
    const settled = new Promise<void>((resolve) => {
      for (const event of ['open', 'close']) opened.addEventListener(event, () => resolve())
    })
    opened.onclose = (event) => {
      if (socket.current !== opened) return
      socket.current = undefined
      setState('closed')
      setCode(event.code)
    }
    opened.onmessage = ({ data }) => {
      count.current += 1
      const one = { at: count.current, text: String(data) }
      setReceived((old) => [one, ...old].slice(0, KEPT))
    }
    return settled
  }
  return {
    ...{ state, code, received, open, close },
    clear: () => setReceived([]),
    send: (text) => socket.current?.send(text),
  }
}
