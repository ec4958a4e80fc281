/** Opens and seals again the values of a column, one by itself or several in a document. */

import type { SealedColumn } from '../../kernel/sealed-column.ts'
import { keyIdOf, type SecretBox } from '../../kernel/secret-box.ts'
import type { SealedRow } from './sealed-store.ts'

export type Resealed =
  | { readonly outcome: 'current' }
  | { readonly outcome: 'resealed'; readonly stored: string }
  | { readonly outcome: 'failed'; readonly reason: string }

export function reseal(column: SealedColumn, { key, stored }: SealedRow, box: SecretBox): Resealed {
  const owner = column.owner(String(key[0]))
  let isCurrent = true
  try {
    const changed = eachValue(column, stored, (sealed) => {
      if (box.isNewest(sealed)) return sealed
      isCurrent = false
      return box.seal(box.open(sealed, owner), owner)
    })
    return isCurrent ? { outcome: 'current' } : { outcome: 'resealed', stored: changed }
  } catch (error) {
    return { outcome: 'failed', reason: reasonOf(error) }
  }
}

export interface Opened {
  /** Undefined when the document has no sealed value in it. */
  readonly keyId: string | undefined
  readonly reason: string | undefined
}

/** Opens all values of a row, and keeps none of them. */
export function tryOpen(column: SealedColumn, { key, stored }: SealedRow, box: SecretBox): Opened {
  let keyId: string | undefined
  try {
    eachValue(column, stored, (sealed) => {
      keyId = keyIdOf(sealed)
      box.open(sealed, column.owner(String(key[0])))
      return sealed
    })
    return { keyId, reason: undefined }
  } catch (error) {
    return { keyId, reason: reasonOf(error) }
  }
}

function eachValue(
  { inDocument }: SealedColumn,
  stored: string,
  change: (sealed: string) => string,
): string {
  return inDocument === undefined ? change(stored) : inDocument(stored, change)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
