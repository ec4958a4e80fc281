/**
 * Chunks of bodies are small objects with much memory outside of the heap. The collector runs by the size of the heap,
 * and lets more than 64 MiB of chunks wait that nobody uses any more; a collection of young objects after every few MiB
 * takes a millisecond and keeps that small.
 */
import { garbageCollector } from '../../../kernel/garbage.ts'

const EVERY_BYTES = 8 * 2 ** 20

let collect: NodeJS.GCFunction | undefined
let passed = 0

/** Called with each chunk that passes through without being kept. */
export function countPassed(bytes: number): void {
  passed += bytes
  if (passed < EVERY_BYTES) return
  passed = 0
  collect ??= garbageCollector()
  collect({ type: 'minor', execution: 'sync' })
}
