/** Light or dark: as the system says, until the reader says otherwise. */
import { Store } from './data/store.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'kumoi.theme'

export const theme = new Store<Theme>(kept())

function kept(): Theme {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : 'system'
}

const systemIsDark = globalThis.matchMedia?.('(prefers-color-scheme: dark)')

/** What is seen, for those who have to draw anew when it changes. */
export const shade = new Store<'light' | 'dark'>(shadeNow())
systemIsDark?.addEventListener('change', () => shade.set(shadeNow()))

function shadeNow(): 'light' | 'dark' {
  if (theme.value !== 'system') return theme.value
  return systemIsDark?.matches ? 'dark' : 'light'
}

export function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next)
  theme.set(next)
  applyTheme()
  shade.set(shadeNow())
}

/** The style sheet reads `color-scheme`; `light-dark()` in it follows. */
export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
}
