import { hash } from 'node:crypto'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

export const accountOwner = (directory: string) => `acme account ${directory}`
export const certificateOwner = (name: string) => `acme certificate ${name}`

/** Also where nothing is ordered any more: they may be again. */
export const SEALED_BY_ACME: readonly SealedColumn[] = [
  { table: 'acme_account', column: 'sealed_key', key: ['directory'], owner: accountOwner },
  { table: 'acme_certificate', column: 'sealed_key', key: ['name'], owner: certificateOwner },
]

/** What the settings of a server ask for. */
export interface Wanted {
  readonly directory: string
  /** With commas between. */
  readonly domains: string
}

/**
 * Servers with other settings have an order of their own, with its own failures. Names can be more than an index
 * of PostgreSQL takes, so their hash is the key.
 */
export function orderName({ directory, domains }: Wanted): string {
  return `server ${hash('sha256', `${directory} ${domains}`)}`
}

export interface Order {
  readonly dueAt: Date
  readonly failures: number
}

export interface StoredCertificate {
  readonly chain: string
  readonly sealedKey: string
}

/** The certificate of the server itself: the order of it, and what was issued last. */
export class CertificateOrderStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(wanted: Wanted): Promise<Order | undefined> {
    const row = await this.#tx.first<{ due_at: number; failures: number }>(
      sql`SELECT due_at, failures FROM acme_certificate WHERE name = ${orderName(wanted)}`,
    )
    return row && { failures: row.failures, dueAt: new Date(row.due_at) }
  }

  /** Until there is one for these settings, the newest of others: it may be for one of the names. */
  async findIssued(wanted: Wanted): Promise<(StoredCertificate & { name: string }) | undefined> {
    return this.#tx.first(
      sql`SELECT name, chain, sealed_key AS "sealedKey" FROM acme_certificate WHERE chain IS NOT NULL
          ORDER BY CASE WHEN name = ${orderName(wanted)} THEN 0 ELSE 1 END, due_at DESC LIMIT 1`,
    )
  }

  /** What was issued before stays unless there is another. */
  async put(wanted: Wanted, order: Order, issued?: StoredCertificate): Promise<void> {
    const { directory, domains } = wanted
    const { dueAt, failures } = order
    await this.#tx.run(
      sql`INSERT INTO acme_certificate (name, directory, domains, due_at, failures, chain, sealed_key)
          VALUES (${orderName(wanted)}, ${directory}, ${domains}, ${dueAt}, ${failures},
                  ${issued?.chain ?? null}, ${issued?.sealedKey ?? null})
          ON CONFLICT (name) DO UPDATE
          SET due_at = excluded.due_at, failures = excluded.failures,
              chain = coalesce(excluded.chain, acme_certificate.chain),
              sealed_key = coalesce(excluded.sealed_key, acme_certificate.sealed_key)`,
    )
  }
}

/** Where the account is whose key this is. Of two that are put at once one stays. */
export async function findAccountKey(tx: Tx, directory: string): Promise<string | undefined> {
  const row = await tx.first<{ sealed_key: string }>(
    sql`SELECT sealed_key FROM acme_account WHERE directory = ${directory}`,
  )
  return row?.sealed_key
}

export async function putAccountKey(tx: Tx, directory: string, sealedKey: string): Promise<void> {
  await tx.run(
    sql`INSERT INTO acme_account (directory, sealed_key) VALUES (${directory}, ${sealedKey})
        ON CONFLICT (directory) DO NOTHING`,
  )
}

/** What is answered to the authority, by whichever server it asks. */
export class ChallengeStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(token: string): Promise<string | undefined> {
    const row = await this.#tx.first<{ answer: string }>(
      sql`SELECT answer FROM acme_challenge WHERE token = ${token}`,
    )
    return row?.answer
  }

  async put(token: string, answer: string, expiresAt: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO acme_challenge (token, answer, expires_at) VALUES (${token}, ${answer}, ${expiresAt})
          ON CONFLICT (token) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at`,
    )
  }

  /** And those that a crash has left behind. */
  async delete(token: string, now: Date): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM acme_challenge WHERE token = ${token} OR expires_at <= ${now}`,
    )
  }
}
