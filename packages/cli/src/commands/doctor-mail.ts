/** What the doctor finds of the mail server, as the server itself sees it. */
import { mustCall } from '../calls.ts'
import type { Connection } from '../connection.ts'
import type { Finding } from './doctor-finding.ts'

export async function mailFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) return 'known to the operator only'
  const { enabled, from } = Object(await mustCall(client, 'mailRead'))
  if (!enabled) return 'there is no mail server: notices are kept, and none is sent'
  const { ok, server, reason } = Object(await mustCall(client, 'mailCheck'))
  if (ok) return `${server} takes our login; the sender is ${from}`
  return {
    wrong: `${server}: ${reason}`,
    todo: 'Look at --smtp-url, --smtp-tls and --smtp-ca-file.',
  }
}

export async function probeFinding({ client }: Connection, to: string): Promise<Finding> {
  const { ok, server, reason, message_id } = Object(
    await mustCall(client, 'mailProbe', { body: { to } }),
  )
  if (ok) return `${server} has taken a mail to ${to}, Message-ID ${message_id}`
  return { wrong: `${server}: ${reason}`, todo: 'Look at the address and at --mail-from.' }
}
