/** What the doctor finds of the state of a server, before and after an upgrade. */
import { mustCall } from '../calls.ts'
import type { Connection } from '../connection.ts'
import type { Finding } from './doctor-finding.ts'

const FOR_OPERATOR = 'known to the operator only'

export async function schemaFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) return FOR_OPERATOR
  const { schema, known_schema: known } = Object(await mustCall(client, 'serverRead'))
  if (schema === known) return `${schema}, all that this server knows`
  return `${schema}, of a newer version than this server, which knows ${known}`
}

export async function secretsFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) return FOR_OPERATOR
  const { ok } = Object(await mustCall(client, 'encryptionCheck'))
  if (ok) return 'one of each kind opens'
  return { wrong: 'some do not open', todo: 'kumoi keys check names their kinds.' }
}
