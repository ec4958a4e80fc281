/** Makes a sequence that fails as small as it can be while it still fails. */

export interface Shrinking<T> {
  readonly sequence: readonly T[]
  /** Each is the given one with something less. */
  readonly simpler: (one: T) => Iterable<T>
  readonly fails: (sequence: readonly T[]) => Promise<boolean>
}

/** Enough for what was seen; an attempt sends a whole sequence. */
const ATTEMPTS_MAX = 300

/** Undefined when the sequence does not fail again. */
export async function shrink<T>(shrinking: Shrinking<T>): Promise<readonly T[] | undefined> {
  let attempts = 0
  const fails = async (sequence: readonly T[]) => {
    attempts += 1
    return attempts <= ATTEMPTS_MAX && shrinking.fails(sequence)
  }
  if (!(await fails(shrinking.sequence))) return undefined
  const few = await dropOnes(shrinking.sequence, fails)
  return simplify(few, shrinking.simpler, fails)
}

/** The last one is what fails; of those before it, first halves are left out, in the end single ones. */
async function dropOnes<T>(
  sequence: readonly T[],
  fails: (sequence: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  const last = sequence.slice(-1)
  let before = sequence.slice(0, -1)
  if (await fails(last)) return last
  for (
    let size = Math.ceil(before.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let start = 0; start < before.length; ) {
      const without = before.toSpliced(start, size)
      if (await fails([...without, ...last])) before = without
      else start += size
    }
  }
  return [...before, ...last]
}

async function simplify<T>(
  sequence: readonly T[],
  simpler: (one: T) => Iterable<T>,
  fails: (sequence: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let smallest = sequence
  for (let index = sequence.length - 1; index >= 0; index -= 1) {
    for (let found = true; found; ) {
      found = false
      const one = smallest[index]
      if (one === undefined) break
      for (const candidate of simpler(one)) {
        const attempt = smallest.with(index, candidate)
        if (!(await fails(attempt))) continue
        smallest = attempt
        found = true
        break
      }
    }
  }
  return smallest
}
