/** Numbers and times as people read them, in the reader's language. */
import { language } from './i18n.ts'

export function formatNumber(value: number, digits = 0): string {
  return new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }).format(value)
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${formatNumber(bytes / 1000 ** step, step === 0 ? 0 : 1)} ${UNITS[step]}`
}

export function formatYen(amount: number): string {
  return new Intl.NumberFormat(language.value, { style: 'currency', currency: 'JPY' }).format(
    amount,
  )
}

/** All times are shown as the interface writes them: in Japan's. */
const ZONE = 'Asia/Tokyo'

/** Making one takes longer than hundreds of uses, and long lists have many. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterFor(withTime: boolean): Intl.DateTimeFormat {
  const key = `${language.value} ${withTime}`
  const kept = formatters.get(key)
  if (kept !== undefined) return kept
  const made = new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    ...{ timeZone: ZONE, dateStyle: 'medium' },
    ...(withTime && { timeStyle: 'medium' }),
  })
  formatters.set(key, made)
  return made
}

type Time = string | number | Date | null | undefined

export const formatTime = (value: Time) => formatWith(value, true)
export const formatDate = (value: Time) => formatWith(value, false)

function formatWith(value: Time, withTime: boolean): string {
  if (value === null || value === undefined || value === '') return '–'
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? String(value) : formatterFor(withTime).format(date)
}
