/** Comma-separated values (RFC 4180), with a head. */
import type { Rows } from './rows.ts'

export function formatCsv({ columns, cells }: Rows): string {
  return [columns, ...cells].map(csvLine).join('')
}

export function csvLine(row: readonly string[]): string {
  return `${row.map(quoted).join(',')}\r\n`
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
