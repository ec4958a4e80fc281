/**
 * The port through which the session engine asks an element of a real network to end or to shape a session that
 * it holds. A request is written in the transaction that causes it, and sent by another.
 */
import type { Tx } from '../../storage/database.ts'
import type { EndCause, Session } from './session-rules.ts'

export interface ElementRequests {
  /** The session was ended by us, not by its element: the element shall end it, too. */
  disconnect(tx: Tx, session: Session, cause: EndCause, now: Date): Promise<void>
  /** Its bandwidth has changed: bits per second, undefined for no limit. */
  shape(tx: Tx, session: Session, bitsPerSecond: number | undefined, now: Date): Promise<void>
}
