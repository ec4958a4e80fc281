/** What the server writes the trail with. */
import type { AuditEntry } from '../../kernel/audit-entry.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { LateEntries } from './late-entries.ts'
import { AuditStore } from './store.ts'

export { AuditStore } from './store.ts'

export function openAudit(database: Database, log: Log) {
  const late = new LateEntries(database, log)
  return {
    insert: (tx: Tx, entry: AuditEntry) => new AuditStore(tx).insert(entry),
    add: (entry: AuditEntry, key: string) => late.add(entry, key),
    settled: () => late.settled(),
  }
}
