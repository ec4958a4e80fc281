import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { Adapter } from './adapter-rules.ts'

interface AdapterRow {
  id: string
  account_id: AccountId
  project_id: ItemId
  name: string
  type: Adapter['type']
  token_sealed: string
  secret_sealed: string | null
  url_sealed: string | null
  disabled_at: number | null
  created_at: number
}

const ADAPTER = raw(`id, account_id, project_id, name, type, token_sealed, secret_sealed,
  url_sealed, disabled_at, created_at`)

/** The adapters of all projects: a project's own are asked for by its id. Secrets are sealed in the rows. */
export class AdapterStore {
  readonly #tx: Tx
  readonly #box: SecretBox

  constructor(tx: Tx, box: SecretBox) {
    this.#tx = tx
    this.#box = box
  }

  find(id: string): Promise<Adapter | undefined> {
    return this.#first(sql`id = ${id}`)
  }

  findByToken(hash: string): Promise<Adapter | undefined> {
    return this.#first(sql`token_hash = ${hash}`)
  }

  /** In the order in which they were made. */
  async list(projectId: ItemId): Promise<Adapter[]> {
    const rows = await this.#tx.all<AdapterRow>(
      sql`SELECT ${ADAPTER} FROM iot_adapter WHERE project_id = ${projectId} ORDER BY serial`,
    )
    return rows.map((row) => this.#toAdapter(row))
  }

  async insert(adapter: Adapter, tokenHash: string): Promise<void> {
    const seal = (plain: string | undefined) =>
      plain === undefined ? null : this.#box.seal(plain, ownerOf(adapter.id))
    await this.#tx.run(
      sql`INSERT INTO iot_adapter (${ADAPTER}, token_hash, serial)
          VALUES (${adapter.id}, ${adapter.accountId}, ${adapter.projectId}, ${adapter.name},
                  ${adapter.type}, ${seal(adapter.token)}, ${seal(adapter.secret)},
                  ${seal(adapter.url)}, NULL, ${adapter.createdAt}, ${tokenHash},
                  ${await this.#tx.next('outbox')})`,
    )
  }

  /** False when the project has no such adapter. */
  async delete(projectId: ItemId, id: string): Promise<boolean> {
    const deleted = await this.#tx.run(
      sql`DELETE FROM iot_adapter WHERE project_id = ${projectId} AND id = ${id}`,
    )
    return deleted === 1
  }

  async #first(where: Sql): Promise<Adapter | undefined> {
    const row = await this.#tx.first<AdapterRow>(
      sql`SELECT ${ADAPTER} FROM iot_adapter WHERE ${where}`,
    )
    return row && this.#toAdapter(row)
  }

  #toAdapter(row: AdapterRow): Adapter {
    const open = (sealed: string | null) =>
      sealed === null ? undefined : this.#box.open(sealed, ownerOf(row.id))
    return {
      id: row.id,
      accountId: row.account_id,
      projectId: row.project_id,
      name: row.name,
      type: row.type,
      token: this.#box.open(row.token_sealed, ownerOf(row.id)),
      secret: open(row.secret_sealed),
      url: open(row.url_sealed),
      disabledAt: row.disabled_at === null ? undefined : new Date(row.disabled_at),
      createdAt: new Date(row.created_at),
    }
  }
}

/** What needs no secret of them. */
export async function listAdapterIds(
  tx: Tx,
  projectIds: readonly ItemId[],
): Promise<{ readonly projectId: ItemId; readonly id: string }[]> {
  const rows = await tx.all<{ project_id: ItemId; id: string }>(
    sql`SELECT project_id, id FROM iot_adapter WHERE project_id IN ${list(projectIds)}
        ORDER BY serial`,
  )
  return rows.map(({ project_id, id }) => ({ projectId: project_id, id }))
}

/** Those that every message of the project is for; one that is disabled is sent nothing. */
export async function listReceivers(
  tx: Tx,
  projectId: ItemId,
): Promise<{ readonly id: string; readonly isDisabled: boolean }[]> {
  const rows = await tx.all<{ id: string; disabled_at: number | null }>(
    sql`SELECT id, disabled_at FROM iot_adapter
        WHERE project_id = ${projectId} AND type = 'outgoing-webhook' ORDER BY serial`,
  )
  return rows.map(({ id, disabled_at }) => ({ id, isDisabled: disabled_at !== null }))
}

export async function setDisabled(tx: Tx, id: string, at: Date | undefined): Promise<void> {
  await tx.run(sql`UPDATE iot_adapter SET disabled_at = ${at ?? null} WHERE id = ${id}`)
}

/** The address of a webhook may have a secret in it. */
export const SEALED: readonly SealedColumn[] = ['token_sealed', 'secret_sealed', 'url_sealed'].map(
  (column) => ({ table: 'iot_adapter', column, key: ['id'], owner: ownerOf }),
)

function ownerOf(id: string): string {
  return `iot adapter ${id}`
}
