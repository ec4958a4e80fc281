/** Short notices that go away by themselves; what is an error stays at its place instead. */
import { Store } from './store.ts'

export interface Toast {
  readonly id: number
  readonly text: string
}

const SHOWN_MS = 5000
let made = 0

export const toasts = new Store<readonly Toast[]>([])

export function showToast(text: string): void {
  made += 1
  const id = made
  toasts.set([...toasts.value, { id, text }])
  setTimeout(() => hideToast(id), SHOWN_MS)
}

export function hideToast(id: number): void {
  toasts.set(toasts.value.filter((toast) => toast.id !== id))
}
