/**
 * Works of one group that run at the same time, step after step for all of them: a tenth cheaper than one after the
 * other, since each step then finds its code in the processor's caches (docs/adr/0171). It has to be as if each had
 * run alone. So together they only look, and insert single rows; and none may look at what another has changed. A
 * work that wants anything else runs after the others, if it has not changed anything yet; otherwise the group is
 * rolled back and all run again, one after the other.
 */
import { Misfits, never } from './misfits.ts'
import type { Sql } from './sql.ts'
import { kindOf } from './statement-kind.ts'

/** A work of a group; what it asks for passes its gate, when it has one. */
export interface Work {
  run(gate?: Gate): Promise<void>
}

/** What is left to do for a work that has not come to its end with the others. */
export type Rest = () => Promise<void>

export class Together {
  readonly #parentsOf: (table: string) => ReadonlySet<string>
  readonly misfits = new Misfits()
  /** By all words of a statement, which include the tables that it looks at. */
  #looks = new Map<ReadonlySet<string>, Set<Gate>>()
  #changes = new Map<string, Set<Gate>>()

  /** `parentsOf` names the tables that an insert looks at for its foreign keys. */
  constructor(parentsOf: (table: string) => ReadonlySet<string>) {
    this.#parentsOf = parentsOf
  }

  /** Answers with what is left to do, in order; undefined when all has to be taken back. */
  async run(works: readonly Work[]): Promise<Rest[] | undefined> {
    // New ones (docs/adr/0171): what is in a map that is cleared lives on as long as what is put into it next.
    this.#looks = new Map()
    this.#changes = new Map()
    const runs = works.map((work) => new Gate(this, work))
    await Promise.all(runs.map((gate) => gate.pass()))
    const culprits = [...runs.filter((gate) => gate.hasBroken), ...this.#met()]
    for (const { opening } of culprits) if (opening !== undefined) this.misfits.add(opening)
    if (culprits.length > 0) return undefined
    for (const { isThrough, opening } of runs) {
      if (isThrough && opening !== undefined) this.misfits.forget(opening)
    }
    return runs.flatMap((gate) => gate.rest ?? [])
  }

  noteLook(gate: Gate, words: ReadonlySet<string>): void {
    note(this.#looks, words, gate)
  }

  noteInsert(gate: Gate, table: string): void {
    note(this.#changes, table, gate)
    const parents = this.#parentsOf(table)
    if (parents.size > 0) note(this.#looks, parents, gate)
  }

  /** Those who have looked at what another has changed. One that begins anew will look again. */
  #met(): Gate[] {
    const met: Gate[] = []
    for (const [words, readers] of this.#looks) {
      for (const [table, writers] of this.#changes) {
        if (!words.has(table)) continue
        const isOwn = (reader: Gate) => writers.size === 1 && writers.has(reader)
        met.push(...[...readers].filter((reader) => !reader.hasLeft && !isOwn(reader)))
      }
    }
    return met
  }
}

function note<Key>(all: Map<Key, Set<Gate>>, key: Key, gate: Gate): void {
  const gates = all.get(key)
  if (gates === undefined) all.set(key, new Set([gate]))
  else gates.add(gate)
}

/** What one run of a work has to pass with each statement: undefined lets it through at once. */
export class Gate {
  readonly #together: Together
  readonly #work: Work
  #state: 'going' | 'held' | 'left' | 'open' = 'going'
  #running: Promise<void> = Promise.resolve()
  #turn: Promise<void> | undefined
  #out: () => void = () => undefined
  #hasChanged = false
  #hasNumber = false
  /** Its first statement. */
  opening: Sql | undefined
  /** It has come to its end with the others. */
  isThrough = false
  /** It did not fit, or failed, after it had changed something. */
  hasBroken = false
  /** What is left to do for it when the others are through. */
  rest: Rest | undefined

  constructor(together: Together, work: Work) {
    this.#together = together
    this.#work = work
  }

  /** Fulfilled when the work has come to its end, or waits for the others. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#out = resolve
      this.#running = this.#work.run(this)
      this.#running.then(
        () => this.#end(false),
        () => this.#end(true),
      )
    })
  }

  /** It did not fit, and this run of it is given up. */
  get hasLeft(): boolean {
    return this.#state === 'left'
  }

  look(query: Sql): Promise<void> | undefined {
    const stop = this.#begin(query)
    if (this.#state !== 'going') return stop
    const { kind, words } = kindOf(query)
    if (kind !== 'read') return this.#misfit()
    this.#together.noteLook(this, words)
    return undefined
  }

  insert(query: Sql): Promise<void> | undefined {
    const stop = this.#begin(query)
    if (this.#state !== 'going') return stop
    const { isNew, table } = kindOf(query)
    // Of those that change a row that is there, it matters which comes last.
    if (!isNew) return this.#misfit()
    this.#hasChanged = true
    this.#together.noteInsert(this, table)
    return undefined
  }

  /** One that has changed nothing has only looked at its table. */
  inserted(query: Sql, rows: number): void {
    if (this.#state === 'going' && rows !== 1) this.#together.noteLook(this, kindOf(query).words)
  }

  /** For what may be done together with the others' (`Tx.later`). */
  wish(): Promise<void> | undefined {
    if (this.#state === 'going') this.#hasChanged = true
    return this.#stop()
  }

  number(): Promise<void> | undefined {
    if (this.#state === 'going') this.#hasNumber = true
    return this.#stop()
  }

  /** For all else. */
  other(): Promise<void> | undefined {
    return this.#state === 'going' ? this.#misfit() : this.#stop()
  }

  #begin(query: Sql): Promise<void> | undefined {
    if (this.#state !== 'going' || this.opening !== undefined) return this.#stop()
    this.opening = query
    return this.#together.misfits.tries(query) ? undefined : this.#hold()
  }

  #stop(): Promise<void> | undefined {
    return this.#state === 'left' ? never() : this.#turn
  }

  /** It goes on with what it was about to do, when the others are through. */
  #hold(): Promise<void> {
    this.#state = 'held'
    let go: () => void = () => undefined
    this.#turn = new Promise((resolve) => {
      go = resolve
    })
    this.rest = () => {
      this.#state = 'open'
      this.#turn = undefined
      go()
      return this.#running
    }
    this.#out()
    return this.#turn
  }

  /** It begins anew when the others are through. A number that it has taken must not be lost by that. */
  #misfit(): Promise<never> {
    this.#state = 'left'
    if (this.#hasChanged || this.#hasNumber) this.hasBroken = true
    else if (this.opening !== undefined) this.#together.misfits.add(this.opening)
    this.rest = () => this.#work.run()
    this.#out()
    return never()
  }

  #end(hasFailed: boolean): void {
    if (this.rest !== undefined) return
    this.isThrough = true
    if (hasFailed && this.#hasChanged) this.hasBroken = true
    this.#out()
  }
}
