/** Something that somebody should look at, and where. */
export interface Concern {
  readonly key: string
  readonly text: string
  readonly href: string
  readonly tone: 'bad' | 'warn' | 'info'
}

export type Find = (signal: AbortSignal) => Promise<Concern[]>
