/** A question before something that cannot be taken back. */
import type { ComponentChildren } from 'preact'
import type { Action } from '../data/action.ts'
import { Dialog } from './dialog.tsx'

export interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly submit: string
  readonly action: Action<[]>
  readonly onClose: () => void
}

export function Confirm({ title, children, submit, action, onClose }: ConfirmProps) {
  const run = async () => {
    if (await action.run()) onClose()
  }
  return (
    <Dialog
      title={title}
      submit={submit}
      onSubmit={() => void run()}
      onClose={onClose}
      isBusy={action.isBusy}
      error={action.error}
      isDangerous
    >
      <p>{children}</p>
    </Dialog>
  )
}
