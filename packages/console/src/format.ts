/** Numbers and times as people read them, in the reader's language. */
import { language } from './i18n.ts'

/** Making one takes longer than hundreds of uses, and long lists have many. */
const formatters = new Map<string, { format(value: never): string }>()

function kept<F extends { format(value: never): string }>(name: string, make: () => F): F {
  const key = `${language.value} ${name}`
  const made = (formatters.get(key) as F | undefined) ?? make()
  formatters.set(key, made)
  return made
}

export function formatNumber(value: number, digits = 0): string {
  return kept(
    `number ${digits}`,
    () => new Intl.NumberFormat(language.value, { maximumFractionDigits: digits }),
  ).format(value)
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']

export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${formatNumber(bytes / 1000 ** step, step === 0 ? 0 : 1)} ${UNITS[step]}`
}

export function formatYen(amount: number): string {
  const text = formatNumber(Math.abs(amount))
  const sign = amount < 0 ? '-' : ''
  return language.value === 'ja' ? `${sign}${text}円` : `${sign}¥${text}`
}

/** All times are shown as the interface writes them: in Japan's. */
const ZONE = 'Asia/Tokyo'

function formatterFor(withTime: boolean): Intl.DateTimeFormat {
  const isJapanese = language.value === 'ja'
  return kept(
    `time ${withTime}`,
    () =>
      new Intl.DateTimeFormat(isJapanese ? 'ja-JP' : 'en-GB', {
        ...{ timeZone: ZONE, year: 'numeric', day: isJapanese ? '2-digit' : 'numeric' },
        month: isJapanese ? '2-digit' : 'short',
        ...(withTime && { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
        hourCycle: 'h23',
      }),
  )
}

type Time = string | number | Date | null | undefined

export const formatTime = (value: Time) => formatWith(value, true)
export const formatDate = (value: Time) => formatWith(value, false)

function formatWith(value: Time, withTime: boolean): string {
  if (value === null || value === undefined || value === '') return '–'
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return String(value)
  // A time stays on one line, also in a narrow column.
  return formatterFor(withTime).format(date).replaceAll(' ', '\u00a0')
}
