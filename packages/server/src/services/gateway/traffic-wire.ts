import { BadRequest } from '../../kernel/errors.ts'
import { compileSchema, formatPath } from '../../kernel/schema.ts'
import type { Words } from '../../kernel/words.ts'
import { trafficControlSchema } from './parts-contract.ts'
import { checkTrafficControl, type Traffic, type TrafficControl } from './traffic-rules.ts'

const AT = 'traffic_monitoring_config'

export interface TrafficControlWire {
  read(config: unknown): TrafficControl
  write(control: TrafficControl): object
}

/** The chat members have the names that the words give them, whatever the contract shows. */
export function trafficControlWire(words: Words): TrafficControlWire {
  const { chatConfig, chatUrl } = words
  const check = compileSchema(trafficControlSchema(words))
  return {
    read(config) {
      const problem = check(config)
      if (problem !== undefined) {
        const at = formatPath([AT, ...problem.path])
        throw new BadRequest(`${at} ${problem.text.en}`, `${at} ${problem.text.ja}`)
      }
      // The schema has just been checked; its names are known only when the words are.
      const sent = config as Sent
      const chat = (config as Record<string, Record<string, unknown> | null>)[chatConfig]
      const control = {
        quotaMb: sent.traffic_quota_in_mb,
        autoShaping: sent.auto_traffic_shaping ?? false,
        limitKbps: sent.bandwidth_limit_in_kbps ?? null,
        emailEnabled: sent.email_config?.enabled ?? false,
        chatEnabled: chat?.enabled === true,
        chatUrl: String(chat?.[chatUrl] ?? ''),
      }
      return checkTrafficControl(control, `${AT}.${chatConfig}.${chatUrl}`)
    },
    write: (control) => ({
      traffic_quota_in_mb: control.quotaMb,
      bandwidth_limit_in_kbps: control.limitKbps,
      email_config: { enabled: control.emailEnabled },
      [chatConfig]: { enabled: control.chatEnabled, [chatUrl]: control.chatUrl },
      auto_traffic_shaping: control.autoShaping,
    }),
  }
}

interface Sent {
  readonly traffic_quota_in_mb: number
  readonly auto_traffic_shaping?: boolean | null
  readonly bandwidth_limit_in_kbps?: number | null
  readonly email_config?: { readonly enabled: boolean } | null
}

/** Byte counts outgrow what some clients hold in a number, so the interface writes them as digits. */
export function trafficStatusToWire({ uplinkBytes, downlinkBytes }: Traffic, shaping: boolean) {
  return {
    uplink_bytes: String(uplinkBytes),
    downlink_bytes: String(downlinkBytes),
    traffic_shaping: shaping,
  }
}
