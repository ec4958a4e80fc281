/** Shows that there is a palette, and opens it for those who have no such key. */
import { Icon } from '../ui/icon.tsx'
import { opened } from './opened.ts'
import { shellText } from './texts.ts'

export function PaletteButton() {
  return (
    <button
      type="button"
      class="palette-button"
      aria-keyshortcuts="Control+K"
      aria-haspopup="dialog"
      onClick={() => opened.set('palette')}
    >
      <Icon name="search" />
      <span>{shellText('find')}</span> <kbd>Ctrl K</kbd>
    </button>
  )
}
