/** The frame of a page: its heading, what can be done there, and its parts. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

export interface PageProps {
  readonly title: string
  readonly note?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, note, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Kumoi`
  }, [title])
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {note !== undefined && <p class="note">{note}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

export function Card({ title, actions, children }: Omit<PageProps, 'note'>) {
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** Names and values. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
