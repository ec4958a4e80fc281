/** Parts of a page, one at a time. The address says which; arrows move between them. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export interface Tab {
  readonly key: string
  readonly title: string
  readonly body: () => ComponentChildren
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly current: string | undefined
  readonly onChange: (key: string) => void
}

export function Tabs({ label, tabs, current, onChange }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const at = Math.max(
    0,
    tabs.findIndex(({ key }) => key === current),
  )
  const open = tabs[at]
  // On a narrow screen the row of tabs scrolls, and the one that is open should be seen.
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-selected=true]')
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open?.key])
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.key)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.key}`)}`)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === open?.key}
            aria-controls={`${id}-panel`}
            tabIndex={key === open?.key ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        key={open?.key}
        class="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${open?.key}`}
      >
        {open?.body()}
      </div>
    </>
  )
}
