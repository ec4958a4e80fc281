/**
 * Both languages. Texts stand in tables beside the pages that show them, each with its English and its
 * Japanese, so that one without the other does not compile.
 */
import { Store } from './data/store.ts'

export type Language = 'en' | 'ja'
export type Text = readonly [english: string, japanese: string]
type Values = Readonly<Record<string, string | number>>

const KEY = 'kumoi.language'

export const language = new Store<Language>(firstLanguage())

function firstLanguage(): Language {
  const kept = globalThis.localStorage?.getItem(KEY)
  if (kept === 'en' || kept === 'ja') return kept
  return globalThis.navigator?.language.startsWith('ja') ? 'ja' : 'en'
}

export function setLanguage(next: Language): void {
  localStorage.setItem(KEY, next)
  document.documentElement.lang = next
  language.set(next)
}

/**
 * `{name}` in a text is filled with the value of that name; `{name|row|rows}` with the first word when the
 * value is one, and else with the second.
 */
export function say([english, japanese]: Text, values: Values = {}): string {
  const text = language.value === 'ja' ? japanese : english
  return text
    .replaceAll(
      /\{(\w+)\|([^{|}]*)\|([^{}]*)\}/g,
      (_whole, name: string, one: string, many: string) =>
        String(values[name]) === '1' ? one : many,
    )
    .replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** A table of texts as a function that says one of them in the reader's language. */
export function defineTexts<const T extends Readonly<Record<string, Text>>>(table: T) {
  return (key: keyof T, values?: Values): string => say(table[key] ?? ['', ''], values)
}
