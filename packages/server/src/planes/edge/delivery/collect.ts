/**
 * Chunks of bodies are small objects with much memory outside of the heap. The collector runs by the size of the heap,
 * and lets more than 64 MiB of chunks wait that nobody uses any more; a collection of young objects after every few MiB
 * takes a millisecond and keeps that small.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_BYTES = 8 * 2 ** 20

type Collect = (options: { readonly type: 'minor' }) => void

let collect: Collect | undefined
let passed = 0

/** Called with each chunk that passes through without being kept. */
export function countPassed(bytes: number): void {
  passed += bytes
  if (passed < EVERY_BYTES) return
  passed = 0
  collect ??= newCollect()
  collect({ type: 'minor' })
}

function newCollect(): Collect {
  // The function that the flag makes is in contexts that are created after it.
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
