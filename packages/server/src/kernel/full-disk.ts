/** A full disk, as the file system, the embedded database and PostgreSQL report it. */
import type { Text } from './errors.ts'

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])
const SQLITE_FULL = 13

export const DISK_FULL: Text = {
  en: 'The disk is full. Nothing was changed; the operator has to make room.',
  ja: 'ディスクに空きがありません。変更は行われていません。管理者による空き容量の確保が必要です。',
}

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return CODES.has(code) || errcode === SQLITE_FULL || isDiskFull(error.cause)
}
