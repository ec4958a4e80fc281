/** Holds a table of what the console lets be done against what the server does. */
import assert from 'node:assert/strict'
import type { Answer } from '../../acceptance/server.ts'

export interface Held<S> {
  readonly title: string
  /** The thing as the server shows it, which is all that the console knows. */
  read(): Promise<S>
  /** Why the console does not let it be done. */
  reason(state: S): string | undefined
  act(): Promise<Answer>
}

/**
 * What is allowed is not refused. What is not allowed is refused, or would change nothing: where the
 * interface is content with a repetition the console still says that there is nothing to do.
 */
export async function hold<S>({ title, read, reason, act }: Held<S>): Promise<void> {
  const before = await read()
  const why = reason(before)
  const { status, body } = await act()
  if (why === undefined) {
    assert.ok(status < 400, `${title} is allowed, and answered with ${status} ${body.error_msg}`)
    return
  }
  if (status < 400) assert.deepEqual(await read(), before, `${title} changes something: ${why}`)
  else assert.ok([400, 404, 409, 423].includes(status), `${title}: ${status} ${body.error_msg}`)
}
