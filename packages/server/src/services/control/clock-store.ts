/**
 * The clock in the database. A clock that runs is stored as what it showed at a time of the machine, so that it
 * needs no write while it runs, and goes on while the server is off.
 */
import type { ClockMode, ClockState } from '../../kernel/controlled-clock.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'

interface ClockRow {
  mode: ClockMode['mode']
  scale: number
  shown_at: number
  machine_at: number
  setting: string | null
}

export interface StoredClock {
  /** As it is when the machine's clock shows `machine`. */
  stateAt(machine: Date): ClockState
  /** The `--clock` of the start, as JSON. */
  readonly setting: string | undefined
}

export class ClockStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(): Promise<StoredClock | undefined> {
    const row = await this.#tx.first<ClockRow>(
      raw('SELECT mode, scale, shown_at, machine_at, setting FROM clock'),
    )
    if (row === undefined) return undefined
    return { stateAt: (machine) => stateAt(row, machine), setting: row.setting ?? undefined }
  }

  async put({ mode, scale, now }: ClockState, machine: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO clock (id, mode, scale, shown_at, machine_at)
          VALUES (1, ${mode}, ${scale}, ${now}, ${machine})
          ON CONFLICT (id) DO UPDATE
          SET mode = excluded.mode, scale = excluded.scale,
              shown_at = excluded.shown_at, machine_at = excluded.machine_at`,
    )
  }

  async putSetting(setting: string): Promise<void> {
    await this.#tx.run(sql`UPDATE clock SET setting = ${setting}`)
  }
}

function stateAt({ mode, scale, shown_at, machine_at }: ClockRow, machine: Date): ClockState {
  if (mode === 'real') return { mode, scale, now: machine }
  const passed = Math.max(0, machine.getTime() - machine_at)
  return { mode, scale, now: new Date(shown_at + Math.floor(passed * scale)) }
}
