import type { Handlers } from '../../kernel/contract.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import type { Wake } from '../../kernel/job.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database } from '../../storage/database.ts'
import type { OperatorContext } from '../context.ts'
import type { encryptionContract } from './contract.ts'
import { ENCRYPTION_JOB } from './job.ts'
import { tryOpen } from './reseal.ts'
import { RotationStore } from './rotation-store.ts'
import { type SealedRow, SealedStore } from './sealed-store.ts'

export function encryptionHandlers(
  box: SecretBox,
  columns: readonly SealedColumn[],
  wake: Wake,
): Handlers<typeof encryptionContract, OperatorContext> {
  return {
    encryptionRead: (_input, { database }) => status(database, box),

    async encryptionRotate(_input, { database, now }) {
      const [newest = ''] = box.keyIds
      await database.write((tx) => new RotationStore(tx).request(newest, now))
      wake(ENCRYPTION_JOB)
      return status(database, box)
    },

    async encryptionCheck(_input, { database }) {
      const kinds = await Promise.all(columns.map((column) => check(database, column, box)))
      return { ok: kinds.every(({ result }) => result !== 'failed'), kinds }
    },
  }
}

async function status(database: Database, box: SecretBox) {
  const [newest = '', ...older] = box.keyIds
  const rotation = await database.read((tx) => new RotationStore(tx).find(newest))
  const isDone = rotation?.finishedAt !== undefined && rotation.failed === 0
  return {
    ids: [...box.keyIds],
    rotation:
      rotation === undefined
        ? null
        : {
            to: rotation.keyId,
            requested_at: utcMicros(rotation.requestedAt),
            finished_at: rotation.finishedAt ? utcMicros(rotation.finishedAt) : null,
            resealed: rotation.resealed,
            failed: rotation.failed,
          },
    removable: isDone ? older : [],
  }
}

const ROWS_AT_ONCE = 100

/** Opens the first value: a row may be a document that has none in it. */
async function check(database: Database, column: SealedColumn, box: SecretBox) {
  const kind = `${column.table}.${column.column}`
  let last: SealedRow | undefined
  do {
    const after = last
    const rows = await database.read((tx) => new SealedStore(tx, column).page(after, ROWS_AT_ONCE))
    for (const row of rows) {
      const { keyId, reason } = tryOpen(column, row, box)
      if (keyId === undefined && reason === undefined) continue
      const result = reason === undefined ? ('opened' as const) : ('failed' as const)
      return { kind, result, under: keyId ?? null, reason: reason ?? null }
    }
    last = rows.at(-1)
  } while (last !== undefined)
  return { kind, result: 'empty' as const, under: null, reason: null }
}
