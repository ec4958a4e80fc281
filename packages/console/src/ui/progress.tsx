export interface ProgressProps {
  readonly label: string
  /** Left out while nobody knows how far it is. */
  readonly value?: number | undefined
  readonly max?: number
  readonly text?: string
  readonly tone?: 'bad'
}

/** How far something is, or how much of something is used. */
export function Progress({ label, value, max = 1, text, tone }: ProgressProps) {
  return (
    <div class="progress">
      <progress aria-label={label} class={tone} value={value} max={max} />
      {text !== undefined && <span class="note">{text}</span>}
    </div>
  )
}
