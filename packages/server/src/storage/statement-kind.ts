/** What can be said of a statement by its text: whether it only looks, and what it can touch. */
import type { Sql } from './sql.ts'

export interface StatementKind {
  /** An `insert` of one row changes one row or fails, or by ON CONFLICT DO NOTHING perhaps none. */
  readonly kind: 'read' | 'insert' | 'other'
  /** An insert that changes no row that is there already. */
  readonly isNew: boolean
  /** The one that is changed; empty when none is. */
  readonly table: string
  /** All that could be the name of a table. */
  readonly words: ReadonlySet<string>
}

const READ = /^\s*SELECT\b/i
/** Locks, takes numbers, or does something else that is not just looking. */
const NOT_ONLY_READ = /\b(FOR\s+(UPDATE|SHARE|NO|KEY)|INTO|nextval|setval|pg_\w+)\b/i
/** Its beginning, its values, and what is to be done in a conflict. */
export const INSERT_ONE =
  /^(\s*INSERT\s+INTO\s+"?\w+"?\s*\([^()]*\))\s*VALUES\s*\(([^()]*)\)\s*(ON\s+CONFLICT\b.*)?$/is
const TARGET = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)/i
const DO_UPDATE = /\bDO\s+UPDATE\b/i
const NOT_ALWAYS_ONE = /\b(RETURNING|SELECT)\b|\bDO\s+UPDATE\b.*\bWHERE\b/is

const byChunks = new WeakMap<readonly string[], StatementKind>()
/** Those that are not fixed are few, apart from searches. */
const byText = new Map<string, StatementKind>()
const MOST_TEXTS = 500

export function kindOf({ chunks, isFixed }: Sql): StatementKind {
  const early = isFixed ? byChunks.get(chunks) : undefined
  if (early !== undefined) return early
  const text = chunks.join('?')
  const found = byText.get(text) ?? look(text)
  if (isFixed) byChunks.set(chunks, found)
  else {
    if (byText.size >= MOST_TEXTS) byText.clear()
    byText.set(text, found)
  }
  return found
}

function look(text: string): StatementKind {
  const words = new Set(text.toLowerCase().match(/\w+/g))
  const table = TARGET.exec(text)?.[1]?.toLowerCase() ?? ''
  if (INSERT_ONE.test(text) && !NOT_ALWAYS_ONE.test(text)) {
    return { kind: 'insert', isNew: !DO_UPDATE.test(text), table, words }
  }
  const isRead = READ.test(text) && !NOT_ONLY_READ.test(text)
  return { kind: isRead ? 'read' : 'other', isNew: false, table, words }
}
