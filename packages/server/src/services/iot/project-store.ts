import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import type { Project } from './project-rules.ts'

interface ProjectRow {
  id: ItemId
  account_id: AccountId
  mgw_id: string
}

const PROJECT = raw('id, account_id, mgw_id')

/** The projects of one account. A store cannot see past the account it was made for. */
export class ProjectStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async find(id: string): Promise<Project | undefined> {
    const row = await this.#tx.first<ProjectRow>(
      sql`SELECT ${PROJECT} FROM iot_project WHERE account_id = ${this.#accountId} AND id = ${id}`,
    )
    return row && toProject(row)
  }

  async listByIds(ids: readonly ItemId[]): Promise<Project[]> {
    const rows = await this.#tx.all<ProjectRow>(
      sql`SELECT ${PROJECT} FROM iot_project
          WHERE account_id = ${this.#accountId} AND id IN ${list(ids)}`,
    )
    return rows.map(toProject)
  }

  async insert(project: Project): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_project (${PROJECT}, next_message)
          VALUES (${project.id}, ${project.accountId}, ${project.mgwId}, 1)`,
    )
  }

  /** With all that it remembers of SIMs; what is connected has to be gone before. */
  async delete(id: ItemId): Promise<void> {
    await this.#tx.run(sql`DELETE FROM iot_sim WHERE project_id = ${id}`)
    await this.#tx.run(
      sql`DELETE FROM iot_project WHERE account_id = ${this.#accountId} AND id = ${id}`,
    )
  }
}

/** For the network's side, which knows devices and no accounts. */
export async function findProject(tx: Tx, id: ItemId): Promise<Project | undefined> {
  const row = await tx.first<ProjectRow>(sql`SELECT ${PROJECT} FROM iot_project WHERE id = ${id}`)
  return row && toProject(row)
}

/**
 * The number of the next message, with as many after it as are to be stored together. The row stays locked until the
 * transaction ends, so that a number never becomes visible after a higher one (docs/adr/0023-message-numbers.md).
 */
export async function takeMessageNumbers(tx: Tx, id: ItemId, count: number): Promise<number> {
  const row = await tx.first<{ next: number }>(
    sql`UPDATE iot_project SET next_message = next_message + ${count} WHERE id = ${id}
        RETURNING next_message AS next`,
  )
  if (row === undefined) throw new Error(`There is no project ${id}.`)
  return row.next - count
}

/** The number of the newest message of each of these projects; those that are gone are missing. */
export async function newestNumbers(
  tx: Tx,
  ids: readonly ItemId[],
): Promise<ReadonlyMap<ItemId, number>> {
  const rows = await tx.all<{ id: ItemId; next_message: number }>(
    sql`SELECT id, next_message FROM iot_project WHERE id IN ${list(ids)}`,
  )
  return new Map(rows.map((row) => [row.id, row.next_message - 1]))
}

function toProject(row: ProjectRow): Project {
  return { id: row.id, accountId: row.account_id, mgwId: row.mgw_id }
}
