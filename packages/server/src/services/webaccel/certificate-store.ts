import type { Tx } from '../../storage/database.ts'
import { list, sql } from '../../storage/sql.ts'
import { EdgeFeedStore } from './edge-feed-store.ts'
import type { SiteId } from './site-rules.ts'

export type Generation = 'current' | 'old'

export interface Certificate {
  readonly id: string
  readonly siteId: SiteId
  readonly chain: string
  readonly sealedKey: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface CertificateRow {
  id: string
  site_id: SiteId
  generation: Generation
  chain: string
  sealed_key: string
  created_at: number
  updated_at: number
}

/** The certificates of sites that the caller has been found to own. */
export class CertificateStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(siteId: SiteId, generation: Generation): Promise<Certificate | undefined> {
    const found = await this.listOf([siteId])
    return found.find((entry) => entry.generation === generation)?.certificate
  }

  async listOf(
    siteIds: readonly SiteId[],
  ): Promise<{ readonly generation: Generation; readonly certificate: Certificate }[]> {
    const rows = await this.#tx.all<CertificateRow>(
      sql`SELECT id, site_id, generation, chain, sealed_key, created_at, updated_at
          FROM site_certificate WHERE site_id IN ${list(siteIds)}`,
    )
    return rows.map((row) => ({ generation: row.generation, certificate: toCertificate(row) }))
  }

  /** Those in use, by their site. */
  async currentOf(siteIds: readonly SiteId[]): Promise<ReadonlyMap<SiteId, Certificate>> {
    const all = await this.listOf(siteIds)
    const current = all.filter(({ generation }) => generation === 'current')
    return new Map(current.map(({ certificate }) => [certificate.siteId, certificate]))
  }

  async put(generation: Generation, certificate: Certificate): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO site_certificate
            (site_id, generation, id, chain, sealed_key, created_at, updated_at)
          VALUES (${certificate.siteId}, ${generation}, ${certificate.id}, ${certificate.chain},
                  ${certificate.sealedKey}, ${certificate.createdAt}, ${certificate.updatedAt})
          ON CONFLICT (site_id, generation) DO UPDATE
          SET id = excluded.id, chain = excluded.chain, sealed_key = excluded.sealed_key,
              created_at = excluded.created_at, updated_at = excluded.updated_at`,
    )
    if (generation === 'current') await new EdgeFeedStore(this.#tx).touch(certificate.siteId)
  }

  /** False when there was none. */
  async delete(siteId: SiteId, generation: Generation): Promise<boolean> {
    const deleted = await this.#tx.run(
      sql`DELETE FROM site_certificate WHERE site_id = ${siteId} AND generation = ${generation}`,
    )
    if (deleted === 1) await new EdgeFeedStore(this.#tx).touch(siteId)
    return deleted === 1
  }
}

function toCertificate(row: CertificateRow): Certificate {
  return {
    id: row.id,
    siteId: row.site_id,
    chain: row.chain,
    sealedKey: row.sealed_key,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}
