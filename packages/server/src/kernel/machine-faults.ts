/** What a machine refuses the server, as the file system, the embedded database and PostgreSQL report it. */
import type { Text } from './errors.ts'

export interface MachineFault {
  /** For the log. */
  readonly name: string
  /** 503 says that nothing was done, 500 that it is not known: see docs/adr/0010-lost-commit.md. */
  readonly code: 'service_unavailable' | 'internal_server_error'
  readonly cause: Text
}

const FULL: MachineFault = {
  name: 'disk full',
  code: 'service_unavailable',
  cause: {
    en: 'The disk is full. Nothing was changed; the operator has to make room.',
    ja: 'ディスクに空きがありません。変更は行われていません。管理者による空き容量の確保が必要です。',
  },
}

const UNWRITABLE: MachineFault = {
  name: 'disk not writable',
  code: 'service_unavailable',
  cause: {
    en: 'The disk is read-only or fails. Nothing was changed; the operator has to look after it.',
    ja: 'ディスクに書き込めません。変更は行われていません。管理者による対応が必要です。',
  },
}

/** What was written may be there after a restart. */
const UNFLUSHED: MachineFault = {
  name: 'disk fails to flush',
  code: 'internal_server_error',
  cause: {
    en: 'The disk failed while the change was being committed, so it is not known whether it was made. Read before you repeat it.',
    ja: 'コミット中にディスクの障害が発生したため、変更が反映されたかどうか不明です。再実行する前に確認してください。',
  },
}

const NO_FILES: MachineFault = {
  name: 'file descriptors used up',
  code: 'service_unavailable',
  cause: {
    en: 'The server has too many open files and connections. Nothing was changed; the operator has to raise the limit.',
    ja: 'サーバーが開けるファイルと接続の数が上限に達しています。変更は行われていません。管理者による対応が必要です。',
  },
}

/** By the codes of the system, and of PostgreSQL. */
const BY_CODE: ReadonlyMap<unknown, MachineFault> = new Map([
  ...['ENOSPC', 'EDQUOT', '53100'].map((code) => [code, FULL] as const),
  ...['EROFS', 'EIO'].map((code) => [code, UNWRITABLE] as const),
  ...['EMFILE', 'ENFILE'].map((code) => [code, NO_FILES] as const),
])

/** By SQLite's result codes: FULL, READONLY, CANTOPEN, IOERR_WRITE, IOERR_FSYNC. */
const BY_RESULT: ReadonlyMap<unknown, MachineFault> = new Map([
  [13, FULL],
  [8, UNWRITABLE],
  [14, NO_FILES],
  [778, UNWRITABLE],
  [1034, UNFLUSHED],
])

export function machineFaultOf(error: unknown): MachineFault | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return BY_CODE.get(code) ?? BY_RESULT.get(errcode) ?? machineFaultOf(error.cause)
}
