/** Leaves out steps of a failing sequence as long as it fails: what remains is what it takes. */
import type { Request } from './command.ts'
import { type Found, newCounts, run, type Sequence } from './sequence.ts'
import type { Target } from './target.ts'

/** A run each; a sequence of some hundred steps takes about this many. */
const RUNS_MAX = 50

export interface Shrunk extends Found {
  readonly sequence: Sequence
  /** Each as a line. */
  readonly requests: readonly string[]
}

/** Undefined when it does not happen again. */
export async function shrink(
  sequence: Sequence,
  found: Found,
  open: () => Promise<Target>,
): Promise<Shrunk | undefined> {
  let best = await attempt(upTo(sequence, found.step), open)
  // It depends on more than the seed: on what came first of two at once, or on the moment of a kill.
  if (best === undefined) return undefined
  let runs = 0
  for (let size = Math.ceil(best.sequence.steps.length / 2); size >= 1 && runs < RUNS_MAX; ) {
    let isSmaller = false
    for (let from = 0; from < best.sequence.steps.length && runs < RUNS_MAX; runs += 1) {
      const { steps, seed }: Sequence = best.sequence
      const fewer = steps.filter((_, index) => index < from || index >= from + size)
      const again = await attempt({ seed, steps: fewer }, open)
      if (again === undefined) from += size
      else {
        best = again
        isSmaller = true
      }
    }
    if (size === 1 && !isSmaller) break
    size = Math.max(1, Math.floor(size / 2))
  }
  return best
}

const upTo = ({ seed, steps }: Sequence, last: number): Sequence => ({
  seed,
  steps: steps.filter((step) => step <= last),
})

/** Undefined when it does not fail. */
async function attempt(
  sequence: Sequence,
  open: () => Promise<Target>,
): Promise<Shrunk | undefined> {
  const target = await open()
  const requests: string[] = []
  try {
    const found = await run(sequence, target, newCounts(), (request, note) => {
      requests.push(lineOf(request, note))
      return undefined
    })
    if (found === undefined) return undefined
    return { ...found, sequence: upTo(sequence, found.step), requests }
  } finally {
    await target.close()
  }
}

/** With everything that is sent. */
export function lineOf({ method, path, headers, body = '' }: Request, note = ''): string {
  return [method, path, JSON.stringify(headers), body, note && `(${note})`].join(' ').trimEnd()
}
