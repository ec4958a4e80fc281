/** HTTPS against HTTP, for the requests that are made most: they differ in what there is to do besides TLS. */
import type { CloudProcess } from './cloud.ts'
import { beside, compareAll, type Run } from './figures.ts'
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
  const all = (of: keyof Encrypted) => allTurns(rounds.map((round) => round[of]))
  const read = all('read')
  const each = [
    ['GET item', read],
    ['SIM status', all('status')],
    ['list of 20', all('list')],
    ['durable creation', all('creation')],
  ] as const
  const names = each.map(([name]) => name).join(', ')
  const title = `HTTPS keep-alive against HTTP (geometric mean of ${names})`
  const compared = each.map(([, one]) => one)
  run.note(compareAll(title, compared, 0.7))
  for (const [name, one] of each) run.note(beside(`of these: ${name}`, one))
  return read
}
