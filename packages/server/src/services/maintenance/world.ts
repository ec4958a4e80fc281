/** The `maintenances` of a world file. */
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { type Change, countChanges, WorldProblem, type WorldSection } from '../world-section.ts'
import { readAnnouncement } from './announcement.ts'
import { MaintenanceEntry } from './announcement-contract.ts'
import type { Maintenance } from './rules.ts'
import { MaintenanceStore } from './store.ts'
import { announcementToWire } from './wire.ts'

type Entry = Static<typeof MaintenanceEntry>

export const maintenancesSection: WorldSection = {
  key: 'maintenances',
  schema: Type.Array(MaintenanceEntry),
  async apply(value, tx) {
    const changes: Change[] = []
    // The schema above has been checked by whoever calls apply.
    for (const [index, entry] of (value as Entry[]).entries()) {
      changes.push(await applyMaintenance(await read(entry, index, tx), tx))
    }
    return countChanges(changes)
  },
  async export(tx) {
    const all = await new MaintenanceStore(tx).list()
    if (all.length === 0) return undefined
    const accounts = await new AccountStore(tx).list()
    return all.map((one) => announcementToWire(one, accounts))
  },
}

async function applyMaintenance(one: Maintenance, tx: Tx): Promise<Change> {
  const store = new MaintenanceStore(tx)
  const found = await store.find(one.id)
  if (JSON.stringify(found) === JSON.stringify(one)) return 'unchanged'
  if (found === undefined) {
    await store.insert(one)
    return 'created'
  }
  await store.update(one)
  return 'updated'
}

async function read(entry: Entry, index: number, tx: Tx): Promise<Maintenance> {
  try {
    return await readAnnouncement(entry, tx)
  } catch (error) {
    if (!(error instanceof WorldProblem)) throw error
    throw new WorldProblem([index, ...error.path], error.text.en, error.text.ja)
  }
}
