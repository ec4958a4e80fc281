/** The edges there are, and what they last said of themselves. */
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { KnownEdge } from './edge-rules.ts'
import type { EdgeStatus } from './edge-types.ts'

interface EdgeRow {
  id: string
  name: string
  is_remote: number
  engine: EdgeStatus['engine']
  software_version: string
  started_at: number
  seen_at: number
  applied_version: number
  cache_bytes: number
  cache_objects: number
  hits: number
  misses: number
}

const EDGE = raw(`id, name, is_remote, engine, software_version, started_at, seen_at,
  applied_version, cache_bytes, cache_objects, hits, misses`)

export class EdgeStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(id: string): Promise<KnownEdge | undefined> {
    const row = await this.#tx.first<EdgeRow>(sql`SELECT ${EDGE} FROM edge WHERE id = ${id}`)
    return row && toEdge(row)
  }

  async list(): Promise<KnownEdge[]> {
    const rows = await this.#tx.all<EdgeRow>(sql`SELECT ${EDGE} FROM edge ORDER BY name, id`)
    return rows.map(toEdge)
  }

  async put({ status, isRemote, seenAt, appliedVersion }: KnownEdge): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO edge (${EDGE}, last_sequence)
          VALUES (${status.id}, ${status.name}, ${isRemote}, ${status.engine},
                  ${status.softwareVersion}, ${new Date(status.startedAt)}, ${seenAt},
                  ${appliedVersion}, ${status.cacheBytes}, ${status.cacheObjects}, ${status.hits},
                  ${status.misses}, 0)
          ON CONFLICT (id) DO UPDATE SET name = excluded.name, is_remote = excluded.is_remote,
            engine = excluded.engine, software_version = excluded.software_version,
            started_at = excluded.started_at, seen_at = excluded.seen_at,
            applied_version = excluded.applied_version, cache_bytes = excluded.cache_bytes,
            cache_objects = excluded.cache_objects, hits = excluded.hits, misses = excluded.misses`,
    )
  }

  /** False when there is none of this id. */
  async delete(id: string): Promise<boolean> {
    return (await this.#tx.run(sql`DELETE FROM edge WHERE id = ${id}`)) === 1
  }

  /** Those of server processes have another id with each start: one that is silent does not come back. */
  async forget(remoteBefore: Date, localBefore: Date): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM edge WHERE seen_at < ${remoteBefore}
          OR (is_remote = 0 AND seen_at < ${localBefore})`,
    )
  }

  /** False when this report, or a later one, was taken before. */
  async takeReport(id: string, sequence: number): Promise<boolean> {
    const taken = await this.#tx.run(
      sql`UPDATE edge SET last_sequence = ${sequence}
          WHERE id = ${id} AND last_sequence < ${sequence}`,
    )
    return taken === 1
  }
}

function toEdge(row: EdgeRow): KnownEdge {
  return {
    status: {
      id: row.id,
      name: row.name,
      engine: row.engine,
      softwareVersion: row.software_version,
      startedAt: new Date(row.started_at).toISOString(),
      cacheBytes: row.cache_bytes,
      cacheObjects: row.cache_objects,
      hits: row.hits,
      misses: row.misses,
    },
    isRemote: row.is_remote === 1,
    seenAt: new Date(row.seen_at),
    appliedVersion: row.applied_version,
  }
}
