/** Writes requests in the transaction that ends or shapes a session; a job sends them (docs/adr/0024-outbox.md). */
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { Outbox } from '../../storage/outbox.ts'
import type { ElementRequests, Session } from '../sim/public.ts'
import type { ElementRequest } from './rules.ts'
import { RequestStore } from './store.ts'

export const REQUEST_JOB = 'element-requests'
export const FORGET_REQUESTS_JOB = 'element-requests-forget'

/** A topic for each element, so that requests to one that is silent are not in the way of the others. */
export const topicOf = (element: string) => `element ${element}`

type Asked = Pick<ElementRequest, 'kind' | 'cause' | 'bitsPerSecond'>

export function queuedRequests(wake: Wake): ElementRequests {
  return {
    async disconnect(tx, session, cause, now) {
      // Nothing but the SIM and its address would name it, and these name the session that takes its place, too.
      if (cause === 'attached_again' && session.element?.acctSessionId === '') return
      await put(tx, session, { kind: 'disconnect', cause, bitsPerSecond: undefined }, now, wake)
    },
    async shape(tx, session, bitsPerSecond, now) {
      await put(tx, session, { kind: 'coa', cause: 'shaping', bitsPerSecond }, now, wake)
    },
  }
}

async function put(tx: Tx, session: Session, asked: Asked, now: Date, wake: Wake): Promise<void> {
  const { element, simId, id: sessionId, imsi, ip } = session
  if (element === undefined) return
  const { name, acctSessionId } = element
  const store = new RequestStore(tx)
  const outbox = new Outbox<Record<string, never>>(tx, topicOf(name))
  // One that is being sent has been claimed since, and stays until it is settled.
  for (const replaced of await store.replaceShaping(simId, sessionId)) await outbox.done(replaced)
  const id = await outbox.put({}, now)
  await store.insert({
    ...{ id, element: name, simId, sessionId, acctSessionId, imsi, ip, ...asked },
    ...{ state: 'waiting', errorCause: undefined, reason: undefined },
    ...{ attempts: 0, createdAt: now, answeredAt: undefined },
  })
  tx.afterCommit(() => {
    wake(REQUEST_JOB)
    wake(FORGET_REQUESTS_JOB)
  })
}
