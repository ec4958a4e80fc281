/** Light or dark: as the system says, until the reader says otherwise. */
import { Store } from './data/store.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'kumoi.theme'

export const theme = new Store<Theme>(kept())

function kept(): Theme {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : 'system'
}

export function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next)
  theme.set(next)
  applyTheme()
}

/** The style sheet reads `color-scheme`; `light-dark()` in it follows. */
export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
}
