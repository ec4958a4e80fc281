/** A column with values that secret-box.ts has sealed: a new key-encryption key seals them again. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  /** What a value belongs to, by the first column of the key. */
  readonly owner: (key: string) => string
  /** For a document with any number of sealed values in it. */
  readonly inDocument?: (document: string, each: (sealed: string) => string) => string
}
