import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export interface EmptyStateProps {
  readonly title: string
  readonly icon?: IconName
  /** What it would be good for, in a sentence. */
  readonly hint?: string
  /** The next step, as a button or a link. */
  readonly children?: ComponentChildren
}

/** Where there is nothing yet: says so, and what to do. */
export function EmptyState({ title, icon, hint, children }: EmptyStateProps) {
  return (
    <div class="empty-state">
      {icon !== undefined && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <p class="empty-title">{title}</p>
      {hint !== undefined && <p class="note">{hint}</p>}
      {children}
    </div>
  )
}
