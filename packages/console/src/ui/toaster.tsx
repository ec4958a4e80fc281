import { useStore } from '../data/store.ts'
import { hideToast, toasts } from '../data/toasts.ts'
import { uiText } from './texts.ts'

export function Toaster() {
  return (
    <div class="toaster" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          <button type="button" aria-label={uiText('close')} onClick={() => hideToast(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
