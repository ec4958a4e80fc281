/** A part of the world file. Each slice provides the sections that describe its own things. */
import type { Text } from '../kernel/errors.ts'
import type { Path } from '../kernel/schema.ts'
import type { TSchema } from '../kernel/type.ts'
import type { Tx } from '../storage/database.ts'
import { sql } from '../storage/sql.ts'

export interface WorldSection {
  /** The key in the file, such as `accounts`. */
  readonly key: string
  readonly schema: TSchema
  /** Makes the database as the section says; a second time it changes nothing. */
  apply(value: unknown, tx: Tx, now: Date, mode: WorldMode): Promise<Changes>
  /** The same form again; undefined when there is nothing to say. */
  export(tx: Tx): Promise<unknown>
}

/** `add` never overwrites what the API has changed since on resources; `replace` does. */
export type WorldMode = 'add' | 'replace'

export interface Changes {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export type Change = keyof Changes

export function countChanges(changes: readonly Change[]): Changes {
  const of = (kind: Change) => changes.filter((change) => change === kind).length
  return { created: of('created'), updated: of('updated'), unchanged: of('unchanged') }
}

/** What is wrong in a world file, and where; the path is below the section's key. */
export class WorldProblem extends Error {
  readonly path: Path
  readonly text: Text

  constructor(path: Path, en: string, ja: string) {
    super(en)
    this.path = path
    this.text = { en, ja }
  }
}

/** Takes an id out of the file for good, unless something has it already. */
export async function claimId(tx: Tx, id: string, path: Path): Promise<void> {
  const holder = await holderOfId(tx, id)
  if (holder !== undefined) {
    throw new WorldProblem(path, `${id} is the id of ${holder}.`, `${id} は使用済みです。`)
  }
  await tx.reserve('resource', Number(id))
}

/**
 * What has this id, in words; undefined when it is free. Ids of all kinds of resources are of one sequence, so one
 * that comes from outside may be in use in any.
 */
async function holderOfId(tx: Tx, id: string): Promise<string | undefined> {
  const holder = await tx.first<{ kind: string }>(
    sql`SELECT 'an account' AS kind FROM account WHERE id = ${id}
        UNION ALL SELECT 'an item' FROM item WHERE id = ${id}
        UNION ALL SELECT 'a gateway' FROM gateway WHERE id = ${id}
        UNION ALL SELECT 'a switch' FROM switch WHERE id = ${id}
        UNION ALL SELECT 'a site' FROM site WHERE id = ${id}`,
  )
  return holder?.kind
}
