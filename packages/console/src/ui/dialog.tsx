/** A question in front of the page. The browser's own: it keeps the focus inside and closes on Escape. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { ErrorBox } from './error-box.tsx'
import { uiText } from './texts.ts'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly onClose: () => void
  /** Without a submit the dialog only shows something. */
  readonly submit?: string
  readonly onSubmit?: () => void
  readonly isBusy?: boolean
  readonly isDangerous?: boolean
  readonly reason?: string | undefined
  readonly error?: unknown
  readonly isWide?: boolean
}

export function Dialog(props: DialogProps) {
  const { title, children, onClose, submit, onSubmit } = props
  const frame = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opener = document.activeElement
    frame.current?.showModal()
    return () => {
      // The browser gives the focus back when a dialog is closed, and not when it is taken away.
      const isLost = document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  const send = (event: Event) => {
    event.preventDefault()
    if (props.reason === undefined && props.isBusy !== true) onSubmit?.()
  }
  return (
    <dialog
      ref={frame}
      class={props.isWide ? 'wide' : undefined}
      aria-labelledby={id}
      onClose={onClose}
    >
      <form class="dialog-form" onSubmit={send} noValidate>
        <h2 id={id}>{title}</h2>
        <div class="dialog-body">{children}</div>
        {props.error !== undefined && <ErrorBox error={props.error} />}
        <div class="dialog-buttons">
          <Button kind="quiet" onClick={() => frame.current?.close()}>
            {submit === undefined ? uiText('close') : uiText('cancel')}
          </Button>
          {submit !== undefined && (
            <Button
              kind={props.isDangerous ? 'danger' : 'primary'}
              type="submit"
              isBusy={props.isBusy === true}
              reason={props.reason}
            >
              {submit}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  )
}
