/** What the composition uses of the short message service, and the port that a transport implements. */

export { ReportTokens } from './report-token.ts'
export { type MessageId, TRANSPORTS, type TransportName } from './rules.ts'
export type { Submission, SubmitAnswer, Transport, TransportCheck } from './transport.ts'
