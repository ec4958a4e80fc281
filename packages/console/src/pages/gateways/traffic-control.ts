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
