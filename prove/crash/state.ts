/** What the server itself, and the command that finds faults, say of the state in the end. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { OPERATOR_TOKEN } from '../../packages/server/src/testing/cloud.ts'
import { type Ledger, readOf } from './ledger.ts'
import type { ServerProcess } from './server.ts'

export async function examine(
  { call }: ServerProcess,
  programs: string,
  folder: string,
  ledger: Ledger,
): Promise<void> {
  const audit = readOf(await call('auditVerify'))
  if (!audit.ok) ledger.report(`the audit trail: ${audit.problem}`)
  const doctor = spawnSync(process.execPath, [join(programs, 'kumoi.cjs'), 'doctor'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      ...{ KUMOI_DATA: join(folder, 'data'), KUMOI_OPERATOR_TOKEN: OPERATOR_TOKEN },
      ...{ KUMOI_TOKEN: 'acme-token', KUMOI_SECRET: 'acme-token-secret' },
    },
  })
  if (doctor.status !== 0) ledger.report(`kumoi doctor: ${doctor.stdout}${doctor.stderr}`)
}
