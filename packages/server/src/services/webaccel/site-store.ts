import { Forbidden, NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import { EdgeFeedStore } from './edge-feed-store.ts'
import type { Site, SiteId } from './site-rules.ts'

interface SiteRow {
  id: SiteId
  account_id: AccountId
  ascii_domain: string
  subdomain: string
  settings: string
  status: Site['status']
  guard_token: string
  next_guard_token: string
  acl: string
  log_upload: string | null
  created_at: number
}

const SITE = raw(`id, account_id, ascii_domain, subdomain, settings, status, guard_token,
  next_guard_token, acl, log_upload, created_at`)

const DEPENDENTS = ['site_certificate', 'site_auto_certificate', 'site_usage', 'site_hour']

/**
 * The sites of one account. The interface has another member's site answered by 403 and not by 404, so
 * this store tells the two apart, and gives out neither.
 */
export class SiteStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async get(id: string): Promise<Site> {
    const row = await this.#tx.first<SiteRow>(sql`SELECT ${SITE} FROM site WHERE id = ${id}`)
    if (row === undefined) {
      throw new NotFound(`Site ${id} does not exist.`, `サイト ${id} は存在しません。`)
    }
    if (row.account_id !== this.#accountId) {
      throw new Forbidden(
        `Site ${id} belongs to another member.`,
        `サイト ${id} は他の会員のものです。`,
      )
    }
    return toSite(row)
  }

  /** Undefined also for another account's. */
  async find(id: string): Promise<Site | undefined> {
    const row = await this.#tx.first<SiteRow>(
      sql`SELECT ${SITE} FROM site WHERE account_id = ${this.#accountId} AND id = ${id}`,
    )
    return row && toSite(row)
  }

  async findByHost(host: string): Promise<Site | undefined> {
    const row = await this.#tx.first<SiteRow>(
      sql`SELECT ${SITE} FROM site
          WHERE account_id = ${this.#accountId} AND (ascii_domain = ${host} OR subdomain = ${host})`,
    )
    return row && toSite(row)
  }

  async count(): Promise<number> {
    const row = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM site WHERE account_id = ${this.#accountId}`,
    )
    return row?.total ?? 0
  }

  async list(from: number, count: number): Promise<Site[]> {
    const rows = await this.#tx.all<SiteRow>(
      sql`SELECT ${SITE} FROM site WHERE account_id = ${this.#accountId}
          ORDER BY id LIMIT ${count} OFFSET ${from}`,
    )
    return rows.map(toSite)
  }

  /** False when the domain or the delivery subdomain is taken. */
  async insert(site: Site): Promise<boolean> {
    const changed = await this.#tx.run(
      sql`INSERT INTO site (${SITE})
          VALUES (${site.id}, ${site.accountId}, ${site.asciiDomain}, ${site.subdomain},
                  ${JSON.stringify(site.settings)}, ${site.status}, ${site.guardToken},
                  ${site.nextGuardToken}, ${site.acl}, ${logUploadText(site)}, ${site.createdAt})
          ON CONFLICT DO NOTHING`,
    )
    if (changed === 1) await new EdgeFeedStore(this.#tx).touch(site.id)
    return changed === 1
  }

  async update(site: Site): Promise<void> {
    await this.#tx.run(
      sql`UPDATE site SET settings = ${JSON.stringify(site.settings)}, status = ${site.status},
            guard_token = ${site.guardToken}, next_guard_token = ${site.nextGuardToken},
            acl = ${site.acl}, log_upload = ${logUploadText(site)}
          WHERE account_id = ${this.#accountId} AND id = ${site.id}`,
    )
    await new EdgeFeedStore(this.#tx).touch(site.id)
  }

  async delete(site: Site, now: Date): Promise<void> {
    for (const table of DEPENDENTS) {
      await this.#tx.run(sql`DELETE FROM ${raw(table)} WHERE site_id = ${site.id}`)
    }
    await new EdgeFeedStore(this.#tx).add([{ kind: 'removal', siteId: site.id, detail: null }], now)
    await this.#tx.run(
      sql`DELETE FROM site WHERE account_id = ${this.#accountId} AND id = ${site.id}`,
    )
  }
}

/** For what is counted of a site, whoever owns it. */
export async function findSite(tx: Tx, id: string): Promise<Site | undefined> {
  const row = await tx.first<SiteRow>(sql`SELECT ${SITE} FROM site WHERE id = ${id}`)
  return row && toSite(row)
}

/** For edges, which have those of all accounts. */
export async function listSites(tx: Tx, ids?: readonly SiteId[]): Promise<Site[]> {
  const rows = await tx.all<SiteRow>(
    ids === undefined
      ? sql`SELECT ${SITE} FROM site`
      : sql`SELECT ${SITE} FROM site WHERE id IN ${list(ids)}`,
  )
  return rows.map(toSite)
}

function logUploadText({ logUpload }: Site): string | null {
  return logUpload === undefined ? null : JSON.stringify(logUpload)
}

function toSite(row: SiteRow): Site {
  return {
    id: row.id,
    accountId: row.account_id,
    asciiDomain: row.ascii_domain,
    subdomain: row.subdomain,
    settings: JSON.parse(row.settings),
    status: row.status,
    guardToken: row.guard_token,
    nextGuardToken: row.next_guard_token,
    acl: row.acl,
    logUpload: row.log_upload === null ? undefined : JSON.parse(row.log_upload),
    createdAt: new Date(row.created_at),
  }
}
