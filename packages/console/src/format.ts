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

export function formatTime(value: string | number | Date | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–'
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return String(value)
  return new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    ...{ timeZone: ZONE, dateStyle: 'medium', timeStyle: 'medium' },
  }).format(date)
}

export function formatDate(value: string | number | Date | null | undefined): string {
  if (value === null || value === undefined || value === '') return '–'
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return String(value)
  return new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    ...{ timeZone: ZONE, dateStyle: 'medium' },
  }).format(date)
}
