import type { ComponentChildren } from 'preact'

/** Where a list has nothing yet: says so, and what to do. */
export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty-state">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}
