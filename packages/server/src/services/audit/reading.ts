/** Walks along the whole chain in bounded reads, for the export and the check. */
import { BadRequest } from '../../kernel/errors.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type ChainedEntry, type Link, lineOf, Verification } from './rules.ts'
import { AuditStore, type Ends } from './store.ts'

const ROWS_AT_ONCE = 500

interface Part {
  readonly entries: readonly ChainedEntry[]
  readonly ends: Ends
  readonly isLast: boolean
}

function readPart(database: Database, after: number | undefined): Promise<Part> {
  return database.read(async (tx) => {
    const store = new AuditStore(tx)
    const ends = await store.ends()
    const entries = await store.listChained(after, ROWS_AT_ONCE)
    return { entries, ends, isLast: entries.length < ROWS_AT_ONCE }
  })
}

/** After this number, or after what was deleted where it is older. */
export async function exportStart(tx: Tx, after: number): Promise<Link> {
  const store = new AuditStore(tx)
  const { first, last } = await store.ends()
  const start = after <= first.number ? first : await store.findLink(after)
  if (start !== undefined) return start
  throw new BadRequest(
    `The audit trail has no entry with the number ${after}; its last one is ${last.number}.`,
    `監査証跡に番号 ${after} のエントリはありません。最後の番号は ${last.number} です。`,
  )
}

/** JSON lines, oldest first. Those of one account alone are no chain: what is between them is missing. */
export async function* exportLines(
  database: Database,
  start: Link,
  account: string | undefined,
): AsyncGenerator<string> {
  let previous = start
  for (;;) {
    const { entries, ends, isLast } = await readPart(database, previous.number)
    // The connection is cut, so that nobody takes what was sent for the whole.
    if (ends.first.number > previous.number) throw new Error('Entries were deleted meanwhile.')
    let text = ''
    for (const entry of entries) {
      if (account === undefined || entry.account === account) text += textOf(previous, entry)
      previous = entry.link
    }
    if (text !== '') yield text
    if (isLast) return
  }
}

function textOf(previous: Link, entry: ChainedEntry): string {
  // Its own number: where an entry is missing, the export shows it.
  return `${JSON.stringify({ ...lineOf(previous, entry), ...entry.link })}\n`
}

export interface Verified {
  readonly verification: Verification
  readonly first: Link
  readonly waiting: number
}

export async function verifyTrail(database: Database): Promise<Verified> {
  for (;;) {
    const { first } = await database.read((tx) => new AuditStore(tx).ends())
    const { verification, ends } = await verifyFrom(database, first)
    // What was deleted for its age while it was read is no problem: all is read again.
    if (verification.problem !== undefined && ends.first.number !== first.number) continue
    const waiting = await database.read((tx) => new AuditStore(tx).countUnchained())
    return { verification, first, waiting }
  }
}

async function verifyFrom(database: Database, first: Link) {
  const verification = new Verification(first)
  // Not from where the chain begins: what was put in before it is found, too.
  let after: number | undefined
  for (;;) {
    const { entries, ends, isLast } = await readPart(database, after)
    const isGood = entries.every((entry) => verification.check(entry))
    after = verification.last.number
    if (isGood && !isLast) continue
    verification.end(ends.last)
    return { verification, ends }
  }
}
