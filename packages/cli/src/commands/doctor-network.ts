/** What the doctor finds of the elements of a real mobile network, as the server sees them. */
import { mustCall } from '../calls.ts'
import type { Connection } from '../connection.ts'
import type { Finding } from './doctor-finding.ts'

/** An element reports each of its sessions every five minutes; three times as long is silence. */
const SILENT_MS = 15 * 60_000

export async function networkFinding({ client, settings }: Connection): Promise<Finding> {
  if (settings.operatorToken === undefined) return 'known to the operator only'
  const { network_elements } = Object(await mustCall(client, 'networkElementList'))
  const elements: readonly Element[] = network_elements
  if (elements.length === 0) return 'there is no network element: devices are simulated'
  const { ok, detail, waiting } = Object(await mustCall(client, 'elementRequestCheck'))
  if (!ok) {
    const wrong = `sessions cannot be ended at elements: ${detail}; ${waiting} requests wait`
    return { wrong, todo: 'Install freeradius-utils on the machine of the server.' }
  }
  const { now } = Object(await mustCall(client, 'clockRead'))
  const silent = elements.filter((one) => isSilent(one, Date.parse(now))).map(({ name }) => name)
  if (silent.length > 0) {
    const wrong = `nothing was heard for 15 minutes, although it has sessions: ${silent.join(', ')}`
    return { wrong, todo: 'See whether FreeRADIUS runs, and whether it reaches the server.' }
  }
  const unseen = elements.filter(({ last_seen }) => last_seen === null).length
  const heard = unseen === 0 ? '' : `, never heard of: ${unseen}`
  return `elements: ${elements.length}${heard}; requests to them that wait: ${waiting}`
}

interface Element {
  readonly name: string
  readonly last_seen: string | null
  readonly sessions: number
}

function isSilent({ last_seen, sessions }: Element, now: number): boolean {
  return sessions > 0 && last_seen !== null && now - Date.parse(last_seen) > SILENT_MS
}
