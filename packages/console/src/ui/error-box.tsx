/** What the server said when it refused, in its own words, with the serial that finds it in its log. */
import { RefusalError } from '@kumoi/client'
import { Button } from './button.tsx'
import { uiText } from './texts.ts'

export function ErrorBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, message, serial } = describe(error)
  return (
    <div class="error-box" role="alert">
      <strong>{title}</strong>
      {message !== '' && <p class="error-message">{message}</p>}
      {serial !== '' && (
        <p class="note">
          {uiText('serial')} <code>{serial}</code>
        </p>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>{uiText('retry')}</Button>}
    </div>
  )
}

function describe(error: unknown): { title: string; message: string; serial: string } {
  if (error instanceof RefusalError) {
    const { code, status, message, serial } = error.refusal
    return { title: `${status} ${code}`, message, serial }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { title: uiText('noAnswer'), message, serial: '' }
}
