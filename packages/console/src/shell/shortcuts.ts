/** The keys of the console: which there are, and what a key that was pressed means. */
import type { Text } from '../i18n.ts'

/** After `g`: the page that the next key opens. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  o: '/',
  s: '/sims',
  g: '/gateways',
  i: '/iot',
  m: '/sms',
  w: '/webaccel',
  b: '/billing',
  p: '/billing/prices',
  c: '/maintenance',
  r: '/operator/requests',
  e: '/operator/events',
  t: '/operator/clock',
  f: '/operator/faults',
  d: '/operator/devices',
}

export type Meaning =
  | { readonly does: 'palette' | 'search' | 'help' | 'wait' | 'nothing' }
  | { readonly does: 'open'; readonly path: string }

export interface Pressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

export interface Situation {
  /** Letters are text where the focus is. */
  readonly isTyping: boolean
  readonly hasDialog: boolean
  /** `g` was pressed a moment ago. */
  readonly isGoing: boolean
}

export function meaningOf(pressed: Pressed, { isTyping, hasDialog, isGoing }: Situation): Meaning {
  const { key, ctrlKey, metaKey, altKey } = pressed
  if (hasDialog) return { does: 'nothing' }
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') return { does: 'palette' }
  if (isTyping || ctrlKey || metaKey || altKey) return { does: 'nothing' }
  const path = PAGE_KEYS[key]
  if (isGoing && path !== undefined) return { does: 'open', path }
  if (key === 'g') return { does: 'wait' }
  if (key === '/') return { does: 'search' }
  return { does: key === '?' ? 'help' : 'nothing' }
}

/** Those that open no page, as the help lists them. */
export const OTHER_KEYS: readonly (readonly [keys: readonly string[], what: Text])[] = [
  [
    ['Ctrl', 'K'],
    ['Find a page, a SIM, a gateway or an action', 'ページ・SIM・ゲートウェイ・操作を探す'],
  ],
  [['/'], ['Go to the search of the page', 'ページ内の検索へ移動']],
  [['?'], ['Show this list', 'この一覧を表示']],
  [['Esc'], ['Close what is open', '開いているものを閉じる']],
]
