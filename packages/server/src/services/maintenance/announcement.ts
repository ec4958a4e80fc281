/** Reads an announcement, whether it came from the operator or with a world. */
import { parseJapanPlain } from '../../kernel/datetime.ts'
import type { Static } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { WorldProblem } from '../world-section.ts'
import type { MaintenanceEntry } from './announcement-contract.ts'
import type { Affected, Maintenance } from './rules.ts'

type Entry = Static<typeof MaintenanceEntry>

/** What is wrong is thrown as a problem of the world file; the operator is answered the same words. */
export async function readAnnouncement(entry: Entry, tx: Tx): Promise<Maintenance> {
  const startAt = timeOf(entry, 'start_at')
  const endAt = timeOf(entry, 'end_at')
  if (endAt <= startAt) {
    throw new WorldProblem(['end_at'], 'must be after start_at.', 'は start_at より後です。')
  }
  return {
    id: entry.maintenance_id,
    zone: entry.zone,
    startAt,
    endAt,
    title: entry.title,
    infoUrl: entry.info_url ?? '',
    service: entry.service ?? 'IaaS',
    affects: await affectedOf(entry, tx),
  }
}

function timeOf(entry: Entry, field: 'start_at' | 'end_at'): Date {
  const time = parseJapanPlain(entry[field])
  if (time !== undefined) return time
  const en = 'must be a time in Japan such as 2026-04-10 01:00:00.'
  throw new WorldProblem([field], en, 'は 2026-04-10 01:00:00 のような日時（日本時間）です。')
}

async function affectedOf({ affects = [] }: Entry, tx: Tx): Promise<Affected[]> {
  const found = new Map<string, Affected>()
  for (const [index, { account: code, resource_class, resource_id }] of affects.entries()) {
    const account = await new AccountStore(tx).find(code)
    if (account === undefined) {
      const path = ['affects', index, 'account']
      throw new WorldProblem(path, `${code} does not exist.`, `${code} はありません。`)
    }
    const one = { accountId: account.id, resourceClass: resource_class, resourceId: resource_id }
    found.set(`${account.id} ${resource_class} ${resource_id}`, one)
  }
  // Named twice is named once, and in the order in which the store has them.
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
