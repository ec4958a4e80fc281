import { RefusalError, type TrafficMonitoringConfig } from '@kumoi/client'
import { cloud } from '../../session.ts'

/** Null where none is set, which the interface answers with 404. */
export async function readControl(
  id: string,
  signal: AbortSignal,
): Promise<TrafficMonitoringConfig | null> {
  try {
    const params = { appliance_id: id }
    const answer = await cloud().orThrow.gatewayTrafficControlRead({ params }, { signal })
    return answer.traffic_monitoring_config
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.status === 404) return null
    throw error
  }
}

export interface Chat {
  readonly enabled: boolean
  readonly url: string
}

/** The member's names are words of the profile, so they are found by their form; else they are neutral. */
function chatNames(
  control: TrafficMonitoringConfig | null,
): readonly [member: string, url: string] {
  const known = Object.entries(control ?? {}).find(
    ([name, value]) => name !== 'email_config' && typeof Object(value).enabled === 'boolean',
  )
  const url = known && Object.keys(Object(known[1])).find((key) => key !== 'enabled')
  return known === undefined || url === undefined ? ['chat_config', 'chat_url'] : [known[0], url]
}

export function chatOf(control: TrafficMonitoringConfig | null): Chat {
  const [member, url] = chatNames(control)
  const { enabled = false, [url]: address } = Object(Object(control)[member])
  return { enabled, url: address ?? '' }
}

export function chatToWire(control: TrafficMonitoringConfig | null, chat: Chat) {
  if (control === null && !chat.enabled) return {}
  const [member, url] = chatNames(control)
  return { [member]: { enabled: chat.enabled, [url]: chat.url.trim() } }
}
