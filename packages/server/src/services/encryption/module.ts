import type { Wake } from '../../kernel/job.ts'
import type { Log } from '../../kernel/log.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { byOperator, type Module } from '../module.ts'
import { encryptionContract } from './contract.ts'
import { encryptionJob } from './job.ts'
import { encryptionHandlers } from './routes.ts'
import { CHECK_COLUMN } from './start-check.ts'

/** `sealed` are the columns of all other slices. */
export function encryptionModule(
  box: SecretBox,
  sealed: readonly SealedColumn[],
  wake: Wake,
  log: Log,
): Module {
  const columns = [CHECK_COLUMN, ...sealed]
  return {
    jobs: [encryptionJob(box, columns, log)],
    operations: [byOperator(encryptionContract, encryptionHandlers(box, columns, wake))],
  }
}
