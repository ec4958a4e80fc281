import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import { DEFAULTS, type WorldSettings } from './rules.ts'

/** What is stored is what differs from the defaults. */
export class SettingStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async get<Name extends keyof WorldSettings>(name: Name): Promise<WorldSettings[Name]> {
    const row = await this.#tx.first<{ value: string }>(
      sql`SELECT value FROM setting WHERE name = ${name}`,
    )
    return row === undefined ? DEFAULTS[name] : JSON.parse(row.value)
  }

  async list(): Promise<Partial<WorldSettings>> {
    const rows = await this.#tx.all<{ name: string; value: string }>(
      raw('SELECT name, value FROM setting ORDER BY name'),
    )
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]))
  }

  async set(name: string, value: unknown): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO setting (name, value) VALUES (${name}, ${JSON.stringify(value)})
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    )
  }
}
