/**
 * Effects on the world. A row is written in the transaction that causes the effect; a job claims what
 * is due, carries it out and deletes the row. A claim moves the due time forward, so that a
 * process that dies in between leaves the row to be tried again: at least once, never lost. A claim is known by
 * the number of attempts: whoever comes back after its claim has expired and was taken by another changes nothing.
 */
import type { Tx } from './database.ts'
import { raw, sql } from './sql.ts'

export interface Effect<Payload> {
  readonly id: number
  readonly payload: Payload
  /** How often it was claimed, this time included. */
  readonly attempts: number
  readonly createdAt: Date
}

type Claim = Pick<Effect<unknown>, 'id' | 'attempts'>

interface OutboxRow {
  id: number
  payload: string
  attempts: number
  created_at: number
}

/** Another process that claims at the same time takes the next ones instead of waiting for these. */
const PAST_LOCKED = { postgres: raw('FOR UPDATE SKIP LOCKED'), sqlite: raw('') }

/** Due at once: with a time of its own, an effect would come late after the machine's clock was set back. */
const AT_ONCE = new Date(0)

export interface Backlog {
  readonly topic: string
  readonly waiting: number
  readonly oldestSeconds: number
}

/** What is due and was not carried out yet, of all topics. */
export async function backlogs(tx: Tx, now: Date): Promise<Backlog[]> {
  const rows = await tx.all<{ topic: string; waiting: number; oldest: number }>(
    sql`SELECT topic, count(*) AS waiting, min(created_at) AS oldest FROM outbox
        WHERE due_at <= ${now} GROUP BY topic`,
  )
  return rows.map(({ topic, waiting, oldest }) => {
    return { topic, waiting, oldestSeconds: (now.getTime() - oldest) / 1000 }
  })
}

/** The effects of one topic. */
export class Outbox<Payload> {
  readonly #tx: Tx
  readonly #topic: string

  constructor(tx: Tx, topic: string) {
    this.#tx = tx
    this.#topic = topic
  }

  async put(payload: Payload, now: Date, dueAt: Date = AT_ONCE): Promise<number> {
    const id = await this.#tx.next('outbox')
    await this.#tx.run(
      sql`INSERT INTO outbox (id, topic, payload, due_at, attempts, created_at)
          VALUES (${id}, ${this.#topic}, ${JSON.stringify(payload)}, ${dueAt}, 0, ${now})`,
    )
    return id
  }

  /** Takes what is due, oldest first; nobody else gets it before `until`. */
  async claim(now: Date, until: Date, most: number): Promise<Effect<Payload>[]> {
    const rows = await this.#tx.all<OutboxRow>(
      sql`UPDATE outbox SET due_at = ${until}, attempts = attempts + 1
          WHERE id IN (SELECT id FROM outbox WHERE topic = ${this.#topic} AND due_at <= ${now}
                       ORDER BY due_at, id LIMIT ${most} ${PAST_LOCKED[this.#tx.engine]})
          RETURNING id, payload, attempts, created_at`,
    )
    return rows.sort((a, b) => a.id - b.id).map(toEffect<Payload>)
  }

  /** The effect has happened. False when the claim is another's by now; then the caller records nothing either. */
  async done({ id, attempts }: Claim): Promise<boolean> {
    const deleted = await this.#tx.run(
      sql`DELETE FROM outbox WHERE id = ${id} AND attempts = ${attempts}`,
    )
    return deleted === 1
  }

  /** It did not happen; it is tried again then. False as for `done`. */
  async retry({ id, attempts }: Claim, at: Date): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE outbox SET due_at = ${at} WHERE id = ${id} AND attempts = ${attempts}`,
    )
    return updated === 1
  }

  /** They were not tried after all: as if they had never been claimed. */
  async release(claims: readonly Claim[], at: Date = AT_ONCE): Promise<void> {
    for (const { id, attempts } of claims) {
      await this.#tx.run(
        sql`UPDATE outbox SET due_at = ${at}, attempts = attempts - 1
            WHERE id = ${id} AND attempts = ${attempts}`,
      )
    }
  }

  /** What is due at once is so since it was put, and never later than now. */
  async nextDue(now: Date): Promise<Date | undefined> {
    const row = await this.#tx.first<{ due_at: number; created_at: number }>(
      sql`SELECT due_at, created_at FROM outbox WHERE topic = ${this.#topic}
          ORDER BY due_at, id LIMIT 1`,
    )
    if (row === undefined) return undefined
    const isAtOnce = row.due_at === AT_ONCE.getTime()
    return new Date(isAtOnce ? Math.min(row.created_at, now.getTime()) : row.due_at)
  }
}

function toEffect<Payload>(row: OutboxRow): Effect<Payload> {
  return {
    id: row.id,
    payload: JSON.parse(row.payload),
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
  }
}
