/** What a list is narrowed by. On a telephone the search stays, and the rest is a button away. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { uiText } from './texts.ts'

export interface FiltersProps {
  /** What is always seen: the search. */
  readonly first: ComponentChildren
  readonly children: ComponentChildren
  /** How many of those that fold away are set, so that a list never lacks rows for no visible reason. */
  readonly chosen: number
}

export function Filters({ first, children, chosen }: FiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <search class="filters">
      {first}
      <button
        type="button"
        class="button fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {chosen === 0 ? uiText('filters') : uiText('filtersSet', { count: chosen })}
      </button>
      <div class={isOpen ? 'folded open' : 'folded'} id={id}>
        {children}
      </div>
    </search>
  )
}
