/** What of a bucket's answers visitors see. */
import { type Fields, without } from '../policy/fields.ts'

export function storageFields(fields: Fields): string[] {
  return without(fields, (name) => name.startsWith('x-amz-') || name === 'server')
}

/** S3 answers errors with XML that names the bucket and the key. */
export function plainStorageError(given: number): {
  readonly status: number
  readonly fields: string[]
  readonly text: string
} {
  const isKnown = given === 403 || given === 404 || given === 412 || given === 416
  const status = isKnown ? given : 502
  const text = `${STORAGE_ERRORS[status] ?? 'The bucket could not be read.'}\n`
  const fields = ['content-type', 'text/plain; charset=utf-8', 'content-length', `${text.length}`]
  return { status, fields, text }
}

export const STORAGE_ERRORS: Readonly<Record<string, string>> = {
  403: 'Access to the object is refused.',
  404: 'There is no such object.',
  412: 'The object has changed.',
  416: 'The object has no such range.',
}
