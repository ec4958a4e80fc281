import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import type { SiteId } from './site-rules.ts'

export interface AutoCertificate {
  readonly siteId: SiteId
  readonly certificateId: string | undefined
}

export interface DueCertificate {
  readonly id: SiteId
  readonly domain: string
  /** Since the last one was issued. */
  readonly failures: number
}

const DUE = raw(`SELECT site.id AS id, site.ascii_domain AS domain, failures
                 FROM site_auto_certificate JOIN site ON site.id = site_id`)

/** Which sites want their certificates issued, and when next. */
export class AutoCertificateStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** One that is there already keeps its time: asking twice orders nothing twice. */
  async put(siteId: SiteId, type: string, dueAt: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO site_auto_certificate (site_id, type, due_at) VALUES (${siteId}, ${type}, ${dueAt})
          ON CONFLICT (site_id) DO UPDATE SET type = excluded.type`,
    )
  }

  async delete(siteId: SiteId): Promise<void> {
    await this.#tx.run(sql`DELETE FROM site_auto_certificate WHERE site_id = ${siteId}`)
  }

  async listOf(siteIds: readonly SiteId[]): Promise<AutoCertificate[]> {
    const rows = await this.#tx.all<{ site_id: SiteId; certificate_id: string | null }>(
      sql`SELECT site_id, certificate_id FROM site_auto_certificate WHERE site_id IN ${list(siteIds)}`,
    )
    return rows.map((row) => ({
      siteId: row.site_id,
      certificateId: row.certificate_id ?? undefined,
    }))
  }

  async nextDue(): Promise<Date | undefined> {
    const row = await this.#tx.first<{ due_at: number | null }>(
      raw('SELECT min(due_at) AS due_at FROM site_auto_certificate'),
    )
    return row?.due_at == null ? undefined : new Date(row.due_at)
  }

  async findDue(now: Date): Promise<DueCertificate | undefined> {
    return this.#tx.first(sql`${DUE} WHERE due_at <= ${now} ORDER BY due_at, site.id LIMIT 1`)
  }

  async findOf(siteId: SiteId): Promise<DueCertificate | undefined> {
    return this.#tx.first(sql`${DUE} WHERE site.id = ${siteId}`)
  }

  async failed(siteId: SiteId, failures: number, dueAt: Date): Promise<void> {
    await this.#tx.run(
      sql`UPDATE site_auto_certificate SET failures = ${failures}, due_at = ${dueAt}
          WHERE site_id = ${siteId}`,
    )
  }

  async issued(siteId: SiteId, certificateId: string, dueAt: Date): Promise<void> {
    await this.#tx.run(
      sql`UPDATE site_auto_certificate SET certificate_id = ${certificateId}, due_at = ${dueAt}, failures = 0
          WHERE site_id = ${siteId}`,
    )
  }
}

/** The authority of this cloud; its key is sealed. */
export interface Authority {
  readonly chain: string
  readonly sealedKey: string
}

export async function findAuthority(tx: Tx): Promise<Authority | undefined> {
  return tx.first(sql`SELECT chain, sealed_key AS "sealedKey" FROM site_authority WHERE id = 1`)
}

export async function putAuthority(tx: Tx, { chain, sealedKey }: Authority): Promise<void> {
  await tx.run(
    sql`INSERT INTO site_authority (id, chain, sealed_key) VALUES (1, ${chain}, ${sealedKey})
        ON CONFLICT (id) DO UPDATE SET chain = excluded.chain, sealed_key = excluded.sealed_key`,
  )
}
