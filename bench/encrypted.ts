/** HTTPS against HTTP, for the requests that are made most: they differ in what there is to do besides TLS. */
import type { CloudProcess } from './cloud.ts'
import { compare, type Run } from './figures.ts'
import type { Load } from './load.ts'
import { allTurns, type Compared, inTurns } from './processes.ts'

type Of<T> = Readonly<Record<'read' | 'status' | 'list' | 'creation', T>>

/** `ours` is HTTPS, `theirs` is HTTP. */
export type Encrypted = Of<Compared>

export async function measureEncrypted(
  { pid, plainPort, tlsPort }: CloudProcess,
  loads: Of<() => Omit<Load, 'port'>>,
): Promise<Encrypted> {
  const both = (load: () => Omit<Load, 'port'>) =>
    inTurns(
      { pid, load: () => ({ ...load(), port: tlsPort, tls: true }) },
      { pid, load: () => ({ ...load(), port: plainPort }) },
      1,
    )
  return {
    read: await both(loads.read),
    status: await both(loads.status),
    list: await both(loads.list),
    creation: await both(loads.creation),
  }
}

/** Answers with the reads. */
export function noteEncrypted(run: Run, rounds: readonly Encrypted[]): Compared {
  const note = (name: string, of: keyof Encrypted) => {
    const compared = allTurns(rounds.map((round) => round[of]))
    run.note(compare(`HTTPS keep-alive against HTTP, ${name}`, compared, 0.7))
    return compared
  }
  const read = note('GET item', 'read')
  note('SIM status', 'status')
  note('list of 20', 'list')
  note('durable creation', 'creation')
  return read
}
