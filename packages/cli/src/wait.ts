/** Waiting for what was asked for to be there. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, OperationName } from '@kumoi/client'
import { mustCall } from './calls.ts'
import { EXIT, Failure } from './failure.ts'
import { startProgress } from './progress.ts'

const PAUSE_MS = 500

/** Answers with the last reading; `read` is the operation that reads one, and `param` its parameter. */
export async function waitUntilAvailable(
  client: Client,
  answer: unknown,
  read: { readonly operation: OperationName; readonly param: string },
  seconds: number,
): Promise<unknown> {
  const id = thingIn(answer)?.ID
  if (id === undefined) return answer
  const progress = startProgress(`${id}:`)
  const started = performance.now()
  try {
    for (;;) {
      const now = await mustCall(client, read.operation, { params: { [read.param]: id } })
      const { Availability } = thingIn(now) ?? {}
      if (Availability === 'available') return now
      const waited = Math.round((performance.now() - started) / 1000)
      if (waited >= seconds) {
        const hint = 'Does the clock of the server stand still? See kumoi clock read.'
        throw new Failure(`${id} is still ${Availability} after ${waited} s.`, EXIT.later, hint)
      }
      progress.text(`${Availability}, ${waited} s`)
      await sleep(PAUSE_MS)
    }
  } finally {
    progress.end()
  }
}

function thingIn(answer: unknown): { ID: string; Availability: string } | undefined {
  return Object.values(Object(answer)).find(
    (value): value is { ID: string; Availability: string } => 'Availability' in Object(value),
  )
}
