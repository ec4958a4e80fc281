/** What is on its way: tokens to upload with, and blobs that may not be any file's yet or any more. */
import type { ItemId } from '../../kernel/ids.ts'
import { deleteOlder } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { list, sql } from '../../storage/sql.ts'

export interface UploadToken {
  readonly hash: string
  readonly projectId: ItemId
  readonly name: string
  readonly expiresAt: Date
}

export class UploadStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async insertToken({ hash, projectId, name, expiresAt }: UploadToken): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_upload_token (hash, project_id, name, expires_at)
          VALUES (${hash}, ${projectId}, ${name}, ${expiresAt})`,
    )
  }

  async findToken(hash: string): Promise<UploadToken | undefined> {
    const row = await this.#tx.first<{ project_id: ItemId; name: string; expires_at: number }>(
      sql`SELECT project_id, name, expires_at FROM iot_upload_token WHERE hash = ${hash}`,
    )
    if (row === undefined) return undefined
    const { project_id: projectId, name, expires_at } = row
    return { hash, projectId, name, expiresAt: new Date(expires_at) }
  }

  /** False when it was used already. */
  async useToken(hash: string): Promise<boolean> {
    return (await this.#tx.run(sql`DELETE FROM iot_upload_token WHERE hash = ${hash}`)) === 1
  }

  deleteTokens(before: Date, most: number): Promise<number> {
    const rows = { table: 'iot_upload_token', key: 'hash', time: 'expires_at' }
    return deleteOlder(this.#tx, rows, before, most)
  }

  /** One that is there stays as it is. */
  async insertBlob(key: string, now: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_blob (blob_key, created_at) VALUES (${key}, ${now})
          ON CONFLICT DO NOTHING`,
    )
  }

  /** Those that are no file's, oldest first, of before then. */
  async listOrphans(before: Date, most: number): Promise<string[]> {
    const rows = await this.#tx.all<{ blob_key: string }>(
      sql`SELECT blob_key FROM iot_blob WHERE created_at < ${before} AND NOT EXISTS
            (SELECT 1 FROM iot_file WHERE iot_file.blob_key = iot_blob.blob_key)
          ORDER BY created_at LIMIT ${most}`,
    )
    return rows.map(({ blob_key }) => blob_key)
  }

  /** When a token expires next, or a blob that is no file's has been so for that long. */
  async nextDue(unfinishedMs: number): Promise<Date | undefined> {
    const token = await this.#tx.first<{ due: number | null }>(
      sql`SELECT min(expires_at) AS due FROM iot_upload_token`,
    )
    const orphan = await this.#tx.first<{ created_at: number }>(
      sql`SELECT created_at FROM iot_blob WHERE NOT EXISTS
            (SELECT 1 FROM iot_file WHERE iot_file.blob_key = iot_blob.blob_key)
          ORDER BY created_at LIMIT 1`,
    )
    const times = [
      // One that is exactly as old is not old enough.
      ...(token?.due == null ? [] : [token.due + 1]),
      ...(orphan === undefined ? [] : [orphan.created_at + unfinishedMs + 1]),
    ]
    return times.length === 0 ? undefined : new Date(Math.min(...times))
  }

  async deleteBlobs(keys: readonly string[]): Promise<void> {
    await this.#tx.run(sql`DELETE FROM iot_blob WHERE blob_key IN ${list(keys)}`)
  }
}
