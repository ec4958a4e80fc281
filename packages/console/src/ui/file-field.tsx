/** A labelled choice of a file. */
import { useId } from 'preact/hooks'

export interface FileFieldProps {
  readonly label: string
  readonly accept?: string
  readonly hint?: string
  readonly onChoose: (file: File | undefined) => void
}

export function FileField({ label, accept, hint, onChoose }: FileFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChoose(event.currentTarget.files?.[0])}
      />
      {hint !== undefined && (
        <p id={`${id}-note`} class="note">
          {hint}
        </p>
      )}
    </div>
  )
}
