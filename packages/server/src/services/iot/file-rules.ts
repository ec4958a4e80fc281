/** Files of a project: names, limits, and what a content is. */
import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'

/** Interface, Limits: 1 to 32 characters, leading letter or digit. */
export const FILE_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.]{0,31}$'
/** The interface recommends 100 MB or less; past this it is refused. */
export const FILE_MIB_MAX = 300
export const FILE_BYTES_MAX = FILE_MIB_MAX * 1024 * 1024
export const UPLOAD_TOKEN_SECONDS = 3600
export const DOWNLOAD_SECONDS = 600
/** Nobody uploads for longer than this: a blob that is no file's by then is rubbish. */
export const UNFINISHED_SECONDS = 3600

export interface StoredFile {
  readonly projectId: ItemId
  readonly accountId: AccountId
  /** The file id of the interface. */
  readonly name: string
  readonly mimeType: string
  readonly size: number
  /** Where the content is; undefined before the first upload. */
  readonly blobKey: string | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
}

const fileId = new RegExp(FILE_ID_PATTERN)

export function checkFileId(text: string): string {
  if (fileId.test(text)) return text
  throw new BadRequest(
    `The file id does not match the pattern ${FILE_ID_PATTERN}`,
    `ファイル ID がパターンに一致しません: ${FILE_ID_PATTERN}`,
  )
}

/** How many bytes `sniff` looks at. */
export const SNIFF_BYTES = 16

/** What the first bytes say; undefined when they are of no kind that can be told for sure. */
export function sniff(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString('hex')
  return SIGNATURES.find(([pattern]) => pattern.test(text))?.[1]
}

/** Patterns over the bytes in hexadecimal. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638(37|39)61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^255044462d/, 'application/pdf'],
  [/^504b0304/, 'application/zip'],
  [/^1f8b/, 'application/gzip'],
  [/^7f454c46/, 'application/x-elf'],
  [/^.{8}66747970/, 'video/mp4'],
  [/^3c3f786d6c/, 'application/xml'],
]

/** Content first, then what the sender said, then nothing in particular (docs/iot.md). */
export function mimeTypeOf(head: Uint8Array, said: string | undefined): string {
  return sniff(head) ?? (isMediaType(said) ? said : undefined) ?? 'application/octet-stream'
}

/** It comes back in a header, so only what is safe there is kept. */
function isMediaType(text: string | undefined): text is string {
  return (
    text !== undefined &&
    text.length <= 255 &&
    /^[\w.+-]+\/[\w.+-]+( *; *[\w.+-]+=[\w.+-]+)*$/.test(text)
  )
}

export type Range = 'whole' | 'unsatisfiable' | { readonly start: number; readonly end: number }

/** One range of bytes (RFC 9110); what is not understood is as good as not sent. */
export function parseRange(header: string | undefined, size: number): Range {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end }
}
