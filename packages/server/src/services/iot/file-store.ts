import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { StoredFile } from './file-rules.ts'

interface FileRow {
  project_id: ItemId
  account_id: AccountId
  name: string
  mime_type: string
  size: number
  blob_key: string | null
  created_at: number
  updated_at: number
}

const FILE = raw(`project_id, account_id, name, mime_type, size, blob_key, created_at, updated_at`)

/** Of the files of all projects: what a backup has to hold. */
export async function listBlobKeys(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ blob_key: string }>(
    sql`SELECT blob_key FROM iot_file WHERE blob_key IS NOT NULL ORDER BY blob_key`,
  )
  return rows.map(({ blob_key }) => blob_key)
}

/** The files of one project, which its caller has found in the account. */
export class FileStore {
  readonly #tx: Tx
  readonly #projectId: ItemId

  constructor(tx: Tx, projectId: ItemId) {
    this.#tx = tx
    this.#projectId = projectId
  }

  async find(name: string): Promise<StoredFile | undefined> {
    const row = await this.#tx.first<FileRow>(
      sql`SELECT ${FILE} FROM iot_file WHERE project_id = ${this.#projectId} AND name = ${name}`,
    )
    return row && toFile(row)
  }

  /** One that is there stays as it is. */
  async insert(name: string, accountId: AccountId, now: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_file (${FILE})
          VALUES (${this.#projectId}, ${accountId}, ${name}, '', 0, NULL, ${now}, ${now})
          ON CONFLICT DO NOTHING`,
    )
  }

  /** False when there is no such file any more. */
  async setContent(
    name: string,
    content: Pick<StoredFile, 'blobKey' | 'size' | 'mimeType' | 'updatedAt'>,
  ): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE iot_file SET blob_key = ${content.blobKey ?? null}, size = ${content.size},
            mime_type = ${content.mimeType}, updated_at = ${content.updatedAt}
          WHERE project_id = ${this.#projectId} AND name = ${name}`,
    )
    return updated === 1
  }

  /** Their contents are nobody's then, and are swept. */
  async deleteAll(): Promise<void> {
    await this.#tx.run(sql`DELETE FROM iot_upload_token WHERE project_id = ${this.#projectId}`)
    await this.#tx.run(sql`DELETE FROM iot_file WHERE project_id = ${this.#projectId}`)
  }
}

function toFile(row: FileRow): StoredFile {
  return {
    projectId: row.project_id,
    accountId: row.account_id,
    name: row.name,
    mimeType: row.mime_type,
    size: row.size,
    blobKey: row.blob_key ?? undefined,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  }
}
