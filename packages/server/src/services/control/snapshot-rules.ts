/** What a snapshot may be called, and whether it can be used here. */
import { BadRequest, Conflict } from '../../kernel/errors.ts'

export const SNAPSHOT_NAME_PATTERN = '^[a-z0-9-]{1,64}$'
export const SNAPSHOT_LIMIT_MIB = 256

/** A reset to these means something else. */
const TAKEN: ReadonlySet<string> = new Set(['empty', 'world'])

export function checkName(name: string): void {
  if (!TAKEN.has(name)) return
  throw new BadRequest(
    `A snapshot cannot be called ${name}.`,
    `スナップショット名に ${name} は使えません。`,
  )
}

/** Whether the snapshot has to be migrated; one of a newer Kumoi is refused. */
export function isOlder(versions: readonly number[], known: readonly number[]): boolean {
  const unknown = versions.find((version) => !known.includes(version))
  if (unknown !== undefined) {
    throw new Conflict(
      `The snapshot has migration ${unknown} of a newer Kumoi, which this one does not know.`,
      `スナップショットに、このバージョンにないマイグレーション ${unknown} があります。`,
    )
  }
  return known.some((version) => !versions.includes(version))
}
