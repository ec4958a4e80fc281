/**
 * What the output of `radclient -x` says about each packet. Packets are sent in the order in which they were
 * given, and answered in any. An identifier that is outstanding means a repetition; one that is not may be used anew.
 */
import type { Answer } from '../../services/element-requests/public.ts'

const HEADER = /^(Sent|Received) (\S+) Id (\d+) /
const NO_REPLY = /^\(\d+\) No reply from server for ID (\d+)\b/
const ERROR_CAUSE = /^\tError-Cause = (\S+)$/
const WRONG_SECRET = /^\((\d+)\) Reply verification failed/
const ERROR_CAUSE_LENGTH_MAX = 100

export function answersIn(stdout: string, stderr: string, count: number): Answer[] {
  const found = new Map<number, Answer>()
  const outstanding = new Map<string, number>()
  let sent = 0
  let latest: number | undefined
  for (const text of stdout.split('\n')) {
    const [, direction, type = '', id = ''] = HEADER.exec(text) ?? []
    if (direction === 'Sent' && !outstanding.has(id)) outstanding.set(id, sent++)
    if (direction === 'Received') {
      latest = outstanding.get(id)
      outstanding.delete(id)
      if (latest !== undefined) found.set(latest, answerOf(type))
    }
    outstanding.delete(NO_REPLY.exec(text)?.[1] ?? '')
    const errorCause = ERROR_CAUSE.exec(text)?.[1]?.slice(0, ERROR_CAUSE_LENGTH_MAX)
    if (latest !== undefined && errorCause !== undefined && found.get(latest)?.answer === 'nak') {
      found.set(latest, { answer: 'nak', errorCause })
    }
  }
  const isUnverified = unverified(stderr)
  return Array.from({ length: count }, (_, index) => {
    const reason = isUnverified.has(index)
      ? 'the answer was not made with the secret that we know'
      : 'no answer in time'
    return found.get(index) ?? { answer: 'none', reason }
  })
}

function answerOf(type: string): Answer {
  if (type === 'Disconnect-ACK' || type === 'CoA-ACK') return { answer: 'ack' }
  if (type === 'Disconnect-NAK' || type === 'CoA-NAK') {
    return { answer: 'nak', errorCause: undefined }
  }
  return { answer: 'none', reason: 'an answer of another kind' }
}

/** The numbers of packets whose answer had a wrong authenticator; radclient goes on waiting for a right one. */
function unverified(stderr: string): ReadonlySet<number> {
  const numbers = stderr.split('\n').map((text) => WRONG_SECRET.exec(text)?.[1])
  return new Set(numbers.filter((number) => number !== undefined).map(Number))
}
