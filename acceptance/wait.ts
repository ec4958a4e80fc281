/** Waits for what happens outside of the test's process. */
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 30_000

export async function waitFor(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    if (await isTrue()) return
    await sleep(50)
  }
  throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}.`)
}
