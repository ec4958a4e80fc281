/** What networks report of a message, and what that makes of it. */
import type { Outcome } from './rules.ts'

/** `Submitted` and `Buffered` end nothing: the network's next station has the message, or the phone is off. */
export const REPORT_STATUSES = ['Delivered', 'Failed', 'Submitted', 'Buffered'] as const
export type ReportStatus = (typeof REPORT_STATUSES)[number]

export interface KeptReport {
  /** The network's own name for it; empty when it has none. */
  readonly id: string
  readonly status: ReportStatus
  /** When the network says that it happened. */
  readonly at: Date
  readonly receivedAt: Date
}

/** Of one message are kept; a network that repeats itself must not fill the database. */
export const REPORTS_KEPT_MAX = 20
export const REPORT_ID_LENGTH_MAX = 255
export const REFERENCE_LENGTH_MAX = 255
/** A report is a few short texts. */
export const REPORT_BYTES_MAX = 16 * 1024

export function isOutcome(status: ReportStatus): status is Outcome {
  return status === 'Delivered' || status === 'Failed'
}

/** The types of Kannel's delivery reports, as the `%d` of its `dlr-url` gives them. */
const KANNEL_TYPES: Readonly<Record<string, ReportStatus>> = {
  1: 'Delivered',
  2: 'Failed',
  4: 'Buffered',
  8: 'Submitted',
  16: 'Failed',
}

/** The type, and the id that the SMSC gave the message: together they name a report. */
export const KANNEL_REPORT_PATTERN = '^(1|2|4|8|16)-.*$'

export function kannelStatus(report: string): ReportStatus {
  return KANNEL_TYPES[report.slice(0, report.indexOf('-'))] ?? 'Submitted'
}

/** The end of a message is not before its sending, whatever the clock of the network says. */
export function endOf(reportedAt: Date, sentAt: Date): Date {
  return reportedAt < sentAt ? sentAt : reportedAt
}
