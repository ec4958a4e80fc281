/**
 * The key of an object in a bucket. The path of a request becomes part of a signed address, so what an URL parser would
 * normalize must not lead out of the bucket, and an empty key, which lists the bucket, is no key.
 */

const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i

/** Encoded as the client sent it, without a leading slash; undefined when no object can have this path. */
export function storageTarget(path: string, docIndex: boolean): string | undefined {
  const key = path.slice(1).replaceAll('\\', '%5C').replaceAll('#', '%23')
  if (key.split('/').some((segment) => DOT_SEGMENT.test(segment))) return undefined
  if (docIndex && (key === '' || key.endsWith('/'))) return `${key}index.html`
  return key === '' ? undefined : key
}
