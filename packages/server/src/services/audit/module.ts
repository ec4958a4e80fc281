import { CLOUD } from '../families.ts'
import { byKey, byOperator, type Module } from '../module.ts'
import { SettingStore } from '../settings/public.ts'
import { auditContract, ownAuditContract } from './contract.ts'
import { auditJob } from './jobs.ts'
import { auditHandlers, ownAuditHandlers } from './routes.ts'
import { AuditStore } from './store.ts'

export const auditModule: Module = {
  jobs: [auditJob],
  aged: [
    {
      tables: ['audit'],
      days: (tx) => new SettingStore(tx).get('audit_days'),
      oldest: (tx) => new AuditStore(tx).oldest(),
      deleteBefore: (tx, before, most) => new AuditStore(tx).deleteBefore(before, most),
    },
  ],
  operations: [
    byOperator(auditContract, auditHandlers),
    byKey(CLOUD, ownAuditContract, ownAuditHandlers),
  ],
}
