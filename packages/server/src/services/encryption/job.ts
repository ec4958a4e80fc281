/**
 * Seals everything again under the newest key. Where it stands is in the values themselves, so a run that was cut off
 * is simply begun again and finds what is left.
 */
import type { Job } from '../../kernel/job.ts'
import type { Log } from '../../kernel/log.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database } from '../../storage/database.ts'
import { type Resealed, reseal } from './reseal.ts'
import { RotationStore } from './rotation-store.ts'
import { type SealedRow, SealedStore } from './sealed-store.ts'

export const ENCRYPTION_JOB = 'encryption'

/** Values in one transaction: other requests go on in between. */
const BATCH = 200

export function encryptionJob(
  box: SecretBox,
  columns: readonly SealedColumn[],
  log: Pick<Log, 'error'>,
): Job<Database> {
  const [newest = ''] = box.keyIds
  return {
    name: ENCRYPTION_JOB,
    // A server that does not have the key that was asked for leaves it to the others.
    async nextDue(database) {
      const rotation = await database.read((tx) => new RotationStore(tx).find(newest))
      return rotation?.finishedAt === undefined ? rotation?.requestedAt : undefined
    },
    async run(database, now, signal) {
      const rotation = await database.read((tx) => new RotationStore(tx).find(newest))
      if (rotation === undefined || rotation.finishedAt !== undefined) return 'No rotation is open.'
      let resealed = 0
      let failed = 0
      let pass: Counts
      do {
        pass = { resealed: 0, failed: 0 }
        for (const column of columns) {
          const counts = await resealColumn(database, column, box, newest, signal)
          if (counts.failed > 0) report(log, column, counts)
          pass = sum(pass, counts)
          if (signal?.aborted) return `${resealed + pass.resealed} sealed again so far.`
        }
        resealed += pass.resealed
        failed = pass.failed
        // A server that still sealed under an older key may have written behind us.
      } while (pass.resealed > 0)
      await database.write((tx) => new RotationStore(tx).finish(newest, failed, now))
      return `${resealed} sealed again, ${failed} could not be opened.`
    },
  }
}

interface Counts {
  readonly resealed: number
  readonly failed: number
  /** Of the first that failed. */
  readonly reason?: string | undefined
}

function report(log: Pick<Log, 'error'>, { table, column }: SealedColumn, counts: Counts): void {
  const err = new Error(counts.reason ?? '')
  log.error({ table, column, failed: counts.failed, err }, 'sealed values could not be opened')
}

function sum(one: Counts, other: Counts): Counts {
  return {
    resealed: one.resealed + other.resealed,
    failed: one.failed + other.failed,
    reason: one.reason ?? other.reason,
  }
}

async function resealColumn(
  database: Database,
  column: SealedColumn,
  box: SecretBox,
  keyId: string,
  signal: AbortSignal | undefined,
): Promise<Counts> {
  let counts: Counts = { resealed: 0, failed: 0 }
  let last: SealedRow | undefined
  while (!signal?.aborted) {
    const after = last
    const rows = await database.read((tx) => new SealedStore(tx, column).page(after, BATCH))
    const results = rows.map((row) => ({ row, result: reseal(column, row, box) }))
    const reasons = results.flatMap(({ result }) =>
      result.outcome === 'failed' ? [result.reason] : [],
    )
    const resealed = await replaceAll(database, column, results, keyId)
    counts = sum(counts, { resealed, failed: reasons.length, reason: reasons[0] })
    last = rows.at(-1)
    if (rows.length < BATCH) break
  }
  return counts
}

async function replaceAll(
  database: Database,
  column: SealedColumn,
  results: readonly { readonly row: SealedRow; readonly result: Resealed }[],
  keyId: string,
): Promise<number> {
  const changed = results.flatMap(({ row, result }) =>
    result.outcome === 'resealed' ? [{ row, stored: result.stored }] : [],
  )
  if (changed.length === 0) return 0
  await database.write(async (tx) => {
    const store = new SealedStore(tx, column)
    let count = 0
    for (const { row, stored } of changed) count += await store.replace(row, stored)
    await new RotationStore(tx).addResealed(keyId, count)
  })
  return changed.length
}
