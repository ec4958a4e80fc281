/**
 * The chain of the audit trail: each row has a number, one more than the row before it, and the SHA-256 of its content
 * and that row's hash. A row that was changed has another hash; one that is missing leaves a gap in the numbers. What is
 * hashed is the JSON of its line in an export, so that anybody can check one (docs/operating.md).
 */
import { hash } from 'node:crypto'
import type { AuditEntry } from '../../kernel/audit-entry.ts'

/** The place in the chain, and the hash of all up to there. */
export interface Link {
  readonly number: number
  readonly hash: string
}

export interface StoredEntry extends AuditEntry {
  readonly id: number
  /** Undefined until the job has chained it. */
  readonly link: Link | undefined
}

export interface ChainedEntry extends StoredEntry {
  readonly link: Link
}

/** What the first row follows. */
export const ORIGIN: Link = { number: 0, hash: '0'.repeat(64) }

/** One line of an export, without its last member, the hash. The order of the members is part of the hash. */
export function lineOf(previous: Link, entry: AuditEntry) {
  return {
    number: previous.number + 1,
    previous: previous.hash,
    time: entry.at.toISOString(),
    caller: entry.caller,
    account: entry.account ?? null,
    address: entry.address,
    client: entry.client ?? null,
    operation: entry.operation,
    target: entry.target,
    status: entry.status,
    code: entry.code ?? null,
    serial: entry.serial,
  }
}

export function hashOf(previous: Link, entry: AuditEntry): string {
  return hash('sha256', JSON.stringify(lineOf(previous, entry)))
}

export function chain<Entry extends AuditEntry>(
  previous: Link,
  entries: readonly Entry[],
): (Entry & { readonly link: Link })[] {
  let last = previous
  return entries.map((entry) => {
    last = { number: last.number + 1, hash: hashOf(last, entry) }
    return { ...entry, link: last }
  })
}

export interface Problem {
  readonly number: number
  readonly kind: 'missing' | 'changed'
}

/** Compares rows in the order of their numbers with what the chain says of them. */
export class Verification {
  #last: Link
  problem: Problem | undefined
  checked = 0

  constructor(before: Link) {
    this.#last = before
  }

  get last(): Link {
    return this.#last
  }

  /** False from the first problem on: what follows it cannot be judged. */
  check(entry: ChainedEntry): boolean {
    if (this.problem !== undefined) return false
    const { number, hash } = entry.link
    const expected = this.#last.number + 1
    if (number > expected) this.problem = { number: expected, kind: 'missing' }
    else if (number < expected || hashOf(this.#last, entry) !== hash) {
      this.problem = { number, kind: 'changed' }
    } else {
      this.#last = entry.link
      this.checked += 1
    }
    return this.problem === undefined
  }

  /** When all rows were checked: they must end where the chain does. */
  end(last: Link): void {
    if (this.problem !== undefined) return
    if (this.#last.number < last.number) {
      this.problem = { number: this.#last.number + 1, kind: 'missing' }
    } else if (this.#last.hash !== last.hash) {
      this.problem = { number: this.#last.number, kind: 'changed' }
    }
  }
}
