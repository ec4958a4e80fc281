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
  read: { readonly operation: OperationName; readonly param: string; readonly noun: string },
  { seconds, isOperator }: { readonly seconds: number; readonly isOperator: boolean },
): Promise<unknown> {
  const { ID: id, Availability: first } = thingIn(answer) ?? {}
  if (id === undefined || first === 'available') return answer
  if (isOperator) await refuseFrozen(client, `${read.noun} ${id}`, first)
  process.stderr.write(
    `Waiting up to ${seconds} s until the ${read.noun} ${id} is available; it is ${first} now.\n`,
  )
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

/** Nothing becomes available while no time passes. */
async function refuseFrozen(client: Client, what: string, now: string | undefined): Promise<void> {
  const { mode } = await client.orThrow.clockRead()
  if (mode !== 'frozen') return
  throw new Failure(
    `The clock of the server stands still, so the ${what} stays ${now}.`,
    EXIT.later,
    'It is made; move the clock with kumoi clock advance --by 1h.',
  )
}

function thingIn(answer: unknown): { ID: string; Availability: string } | undefined {
  return Object.values(Object(answer)).find(
    (value): value is { ID: string; Availability: string } => 'Availability' in Object(value),
  )
}
