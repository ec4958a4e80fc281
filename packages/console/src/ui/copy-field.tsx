/** A text to take elsewhere, with a button that does it. */
import { showToast } from '../data/toasts.ts'
import { Button } from './button.tsx'
import { uiText } from './texts.ts'

export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div class="copy-field">
      <code>{value}</code>
      <Button kind="quiet" label={`${uiText('copy')}: ${label}`} onClick={() => void copy(value)}>
        {uiText('copy')}
      </Button>
    </div>
  )
}

export async function copy(value: string): Promise<void> {
  await navigator.clipboard.writeText(value)
  showToast(uiText('copied'))
}
