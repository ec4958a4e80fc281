/** Lets Jest load the server's sources, which Node runs as they are: it takes their types away. */
import { createHash } from 'node:crypto'
import { stripTypeScriptTypes } from 'node:module'

export function process(source: string): { readonly code: string } {
  return { code: stripTypeScriptTypes(source) }
}

export function getCacheKey(source: string): string {
  return createHash('sha256').update(source).digest('hex')
}
