/** What the composition uses of the short message service, and the port that a transport implements. */

export type { Transport } from './transport.ts'
