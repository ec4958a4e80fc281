/** A button. With a reason it does nothing, stays reachable by keyboard, and says why. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: (() => void) | undefined
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly type?: 'button' | 'submit'
  readonly isBusy?: boolean
  /** Why it cannot be used now. */
  readonly reason?: string | undefined
  readonly label?: string
  readonly isPressed?: boolean
}

export function Button(props: ButtonProps) {
  const { children, onClick, kind = 'plain', type = 'button', isBusy = false, reason } = props
  const id = useId()
  const isOff = isBusy || reason !== undefined
  const press = (event: Event) => {
    if (!isOff) return onClick?.()
    // Not `disabled`, which would take it from the keyboard and its reason with it.
    event.preventDefault()
  }
  return (
    <span class="button-frame">
      <button
        type={type}
        class={`button ${kind}`}
        aria-disabled={isOff ? 'true' : undefined}
        aria-busy={isBusy ? 'true' : undefined}
        aria-describedby={reason === undefined ? undefined : id}
        aria-label={props.label}
        aria-pressed={props.isPressed}
        onClick={press}
      >
        {children}
      </button>
      {reason !== undefined && (
        <span class="reason" id={id} role="tooltip">
          {reason}
        </span>
      )}
    </span>
  )
}
