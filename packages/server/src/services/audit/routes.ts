import { Readable } from 'node:stream'
import type { Handlers } from '../../kernel/contract.ts'
import { parseDatetime } from '../../kernel/datetime.ts'
import { BadRequest } from '../../kernel/errors.ts'
import type { Tx } from '../../storage/database.ts'
import type { Context, OperatorContext } from '../context.ts'
import type { auditContract, ownAuditContract } from './contract.ts'
import { exportLines, exportStart, verifyTrail } from './reading.ts'
import type { StoredEntry } from './rules.ts'
import { AuditStore, type Wanted } from './store.ts'
import { entryToWire, ownEntryToWire } from './wire.ts'

const PAGE = 100

export const auditHandlers: Handlers<typeof auditContract, OperatorContext> = {
  auditList: ({ query }, { database }) =>
    database.read(async (tx) => {
      const { account, operation, serial, since, until, before } = query
      const span = { since: timeOf(since, 'since'), until: timeOf(until, 'until') }
      const { entries, next } = await page(tx, { account, operation, serial, ...span }, before)
      return { entries: entries.map(entryToWire), next }
    }),

  async auditExport({ query }, { database }) {
    const start = await database.read((tx) => exportStart(tx, query.after ?? 0))
    return Readable.from(exportLines(database, start, query.account))
  },

  async auditVerify(_input, { database }) {
    const { verification, first, waiting } = await verifyTrail(database)
    const { problem, checked, last } = verification
    const ok = problem === undefined
    return { ok, problem: problem ?? null, checked, deleted: first.number, last, waiting }
  },
}

export const ownAuditHandlers: Handlers<typeof ownAuditContract, Context> = {
  async ownAuditList({ query }, { tx, caller }) {
    const { Operation: operation, Serial: serial, Since, Until, Before } = query
    const span = { since: timeOf(Since, 'Since'), until: timeOf(Until, 'Until') }
    const wanted = { account: caller.accountCode, operation, serial, ...span }
    const { entries, next } = await page(tx, wanted, Before)
    return { AuditEntries: entries.map(ownEntryToWire), Next: next }
  },
}

/** One more than is shown is read, which says whether there are more. */
async function page(tx: Tx, wanted: Wanted, before: number | undefined) {
  const store = new AuditStore(tx)
  const start = before === undefined ? undefined : await startOf(store, wanted, before)
  // Nothing but the time has an index that fits; a rare operation may be far back.
  if (wanted.operation !== undefined || wanted.serial !== undefined) tx.offload?.()
  const found = await store.list(wanted, start, PAGE + 1)
  const entries = found.slice(0, PAGE)
  return { entries, next: found.length > PAGE ? (entries.at(-1)?.id ?? null) : null }
}

/** Another account's entry is none. */
async function startOf(store: AuditStore, { account }: Wanted, id: number): Promise<StoredEntry> {
  const found = await store.find(id)
  if (found !== undefined && (account === undefined || found.account === account)) return found
  throw new BadRequest(
    `The audit trail has no entry ${id} to read on from.`,
    `監査証跡にエントリ ${id} はありません。`,
  )
}

function timeOf(text: string | undefined, name: string): Date | undefined {
  const time = text === undefined ? undefined : parseDatetime(text)
  if (text === undefined || time !== undefined) return time
  throw new BadRequest(
    `${name} must be a datetime such as 2026-04-01T00:00:00+09:00.`,
    `${name} は 2026-04-01T00:00:00+09:00 のような日時でなければなりません。`,
  )
}
