/** A file to be chosen. The browser's own button speaks the browser's language and not the page's. */
import { useState } from 'preact/hooks'
import { uiText } from './texts.ts'

export interface FileFieldProps {
  readonly label: string
  readonly accept?: string
  readonly onChoose: (file: File | undefined) => void
}

export function FileField({ label, accept, onChoose }: FileFieldProps) {
  const [name, setName] = useState<string>()
  return (
    <label class="file-field">
      <span class="file-label">{label}</span>
      <input
        type="file"
        class="unseen"
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          setName(file?.name)
          onChoose(file)
        }}
      />
      <span class="button" aria-hidden="true">
        {uiText('chooseFile')}
      </span>
      <span class="note" aria-hidden="true">
        {name ?? uiText('noFile')}
      </span>
    </label>
  )
}
