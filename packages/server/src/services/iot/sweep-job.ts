/**
 * Deletes blobs that no file refers to: of uploads that broke off or whose commit failed, and of contents that were
 * replaced. Each blob has a row from before its first byte on. One that is being uploaded is younger than the limit,
 * or its token is deleted first, so that it cannot become a file's any more.
 */
import type { Job } from '../../kernel/job.ts'
import { inBatches } from '../../storage/aged-rows.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { UNFINISHED_SECONDS } from './file-rules.ts'
import { UploadStore } from './upload-store.ts'

/** To be woken when a token was given out, or a blob may have become nobody's. */
export const SWEEP_JOB = 'iot-sweep'

const AT_ONCE = 100
const UNFINISHED_MS = UNFINISHED_SECONDS * 1000

export function sweepJob(blobs: Blobs): Job<Database> {
  return {
    name: SWEEP_JOB,
    nextDue: (database) => database.read((tx) => new UploadStore(tx).nextDue(UNFINISHED_MS)),
    async run(database, now) {
      const before = new Date(now.getTime() - UNFINISHED_MS)
      // All of them, also when it is to end: the blobs below rely on it.
      await inBatches(database, (tx, most) => new UploadStore(tx).deleteTokens(now, most))
      let swept = 0
      for (;;) {
        const keys = await database.read((tx) => new UploadStore(tx).listOrphans(before, AT_ONCE))
        // The blob first: a row without a blob is found again, a blob without a row never.
        for (const key of keys) await blobs.delete(key)
        await database.write((tx) => new UploadStore(tx).deleteBlobs(keys))
        swept += keys.length
        if (keys.length < AT_ONCE) return `${swept} blobs swept`
      }
    },
  }
}
