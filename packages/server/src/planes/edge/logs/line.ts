/** A request as a line of the combined log format, with what the cache did, the host and the time taken after it. */
import type { AccessEntry } from '../options.ts'

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

export function logLine(entry: AccessEntry): string {
  const { address, method, target, httpVersion, status, bytes, cacheStatus, host } = entry
  const request = `${method} ${target} HTTP/${httpVersion}`
  return (
    `${address || '-'} - - [${timeOf(entry.time)}] ${quoted(request)} ${status} ${bytes} ` +
    `${quoted(entry.referer)} ${quoted(entry.userAgent)} ${cacheStatus} ${quoted(host)} ${Math.round(entry.durationMs)}\n`
  )
}

/** `18/Nov/2026:10:20:30 +0000` */
function timeOf(time: Date): string {
  const iso = time.toISOString()
  return `${iso.slice(8, 10)}/${MONTHS[time.getUTCMonth()]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`
}

/** What a client sends must neither end the field nor the line, nor reach a terminal as a command. */
function quoted(text: string | undefined): string {
  if (text === undefined || text === '') return '"-"'
  return `"${text.replaceAll(/[^ !#-[\]-~]/g, escaped)}"`
}

function escaped(character: string): string {
  return [...Buffer.from(character)]
    .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
    .join('')
}
