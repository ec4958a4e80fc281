/** What the server said when it refused, in its own words, with the serial that finds it in its log. */
import { RefusalError } from '@kumoi/client'
import { Button } from './button.tsx'
import { uiText } from './texts.ts'

export function ErrorBox({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, message, code, serial } = describe(error)
  return (
    <div class="error-box" role="alert">
      <strong>{title}</strong>
      {message !== '' && <p class="error-message">{message}</p>}
      {code !== '' && (
        <p class="note">
          <code>{code}</code> · {uiText('serial')} <code>{serial}</code>
        </p>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>{uiText('retry')}</Button>}
    </div>
  )
}

interface Described {
  readonly title: string
  readonly message: string
  readonly code: string
  readonly serial: string
}

/** The first line of a refusal is a sentence; what follows it names the fields. */
function describe(error: unknown): Described {
  if (error instanceof RefusalError) {
    const { code, status, message, serial } = error.refusal
    const [title = '', ...rest] = message.split('\n')
    return { title, message: rest.join('\n'), code: `${status} ${code}`, serial }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { title: uiText('noAnswer'), message, code: '', serial: '' }
}
