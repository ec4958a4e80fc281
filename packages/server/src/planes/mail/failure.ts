/** What an error of `nodemailer` means: whether the mail is refused for good, and why, for people. */
import type { SendResult } from '../../services/mail/public.ts'

const REASON_LENGTH_MAX = 300

interface SmtpError extends Error {
  readonly code?: string
  /** What the server has answered. */
  readonly response?: string
  readonly responseCode?: number
}

/** Of RFC 4954: the server wants another login, whatever the mail is. */
const ABOUT_LOGIN = [530, 534, 535, 538]

/**
 * Only an answer of 5xx to this sender, recipient or content is for good. A login, a certificate or a greeting that
 * is refused says nothing about the mail: the operator can put that right while it waits.
 */
export function failureOf(error: unknown, password?: string): SendResult {
  const failure: SmtpError = error instanceof Error ? error : new Error(String(error))
  const { code, responseCode = 0 } = failure
  const isAboutMail =
    (code === 'EENVELOPE' || code === 'EMESSAGE') && !ABOUT_LOGIN.includes(responseCode)
  const outcome = isAboutMail && responseCode >= 500 && responseCode < 600 ? 'refused' : 'failed'
  const reason = reasonOf(failure).replace(/\p{Cc}+/gu, ' ')
  // A server may repeat what it was sent.
  const shown = password ? reason.replaceAll(password, '***') : reason
  return { outcome, reason: shown.slice(0, REASON_LENGTH_MAX) }
}

function reasonOf({ code, message, response }: SmtpError): string {
  if (code === 'EAUTH') return `the login was refused: ${response ?? message}`
  if (response) return `the server has answered: ${response}`
  switch (code) {
    case 'ETIMEDOUT':
      return `the server did not answer in time: ${message}`
    case 'ETLS':
      return `TLS failed: ${message}`
    case 'EDNS':
      return `the name of the server cannot be resolved: ${message}`
    default:
      return `the connection failed: ${message}`
  }
}
