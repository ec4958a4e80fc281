/**
 * Settings of the world: limits and habits of the cloud itself, which an operator changes while it runs.
 * (How the process runs is another thing: settings.ts.) A slice adds its own here.
 */
import type { Text } from '../../kernel/errors.ts'
import { parseCidr } from '../../kernel/ipv4.ts'
import { type Static, Type } from '../../kernel/type.ts'

export const WorldSettings = Type.Object(
  {
    /** Interface, Limits: the maximum number of SIMs per gateway is not shown. */
    sims_per_gateway: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    /** Interface, Limits: a guideline of 500; past it, calls of the web accelerator are 429. */
    webaccel_calls_per_hour: Type.Integer({ minimum: 1, maximum: 100_000 }),
    /** The language of the texts of short messages. */
    sms_language: Type.Enum(['ja', 'en']),
    /** What the embedded network does with a message: deliver, fail, or hold it for the operator. */
    sms_network: Type.Enum(['deliver', 'fail', 'hold']),
    /** How long the embedded network takes for that. */
    sms_delivery_seconds: Type.Integer({ minimum: 0, maximum: 600 }),
    /** How long one-time passwords and texts are kept, longer than a message can be under way. */
    sms_otp_retention_hours: Type.Integer({ minimum: 1, maximum: 8760 }),
    /** Limits of docs/sms.md, for what leaves the machine. */
    sms_per_destination: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    sms_per_day: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    /** The country codes that the strict policy lets messages go to (docs/sms.md). */
    sms_countries: Type.Array(Type.String({ pattern: '^[1-9][0-9]{0,2}$' }), { minItems: 1 }),
    /** The network from which gateways get their public addresses; those they have they keep. */
    public_addresses: Type.String({ pattern: '^[0-9.]+/([89]|[12][0-9])$' }),
    /** How long five-minute steps stay rows of their own before they are packed into days. */
    traffic_journal_hours: Type.Integer({ minimum: 1, maximum: 720 }),
    /** How long packed days are kept; a call asks for 31 at most. */
    traffic_days: Type.Integer({ minimum: 1, maximum: 3_660 }),
    /** How long session logs, refusals of devices and requests to network elements are kept. */
    session_log_days: Type.Integer({ minimum: 1, maximum: 3_660 }),
    /** How long messages of devices are kept, for replay and for devices that fetch. */
    iot_message_hours: Type.Integer({ minimum: 1, maximum: 8_760 }),
    /** How long webhooks that were given up are kept, to be delivered again. */
    iot_dead_letter_days: Type.Integer({ minimum: 1, maximum: 366 }),
    /** How long messages that were delivered or failed are kept, without their texts. */
    sms_message_days: Type.Integer({ minimum: 31, maximum: 3_660 }),
    /** How long notices to owners of gateways are kept. */
    notice_days: Type.Integer({ minimum: 1, maximum: 3_660 }),
    /** How long billed usage and totals of months are kept; bills themselves stay. */
    usage_days: Type.Integer({ minimum: 93, maximum: 3_660 }),
    /** How long the audit trail is kept. */
    audit_days: Type.Integer({ minimum: 1, maximum: 3_660 }),
    /** How long sums of sites by hour are kept; a call asks for 31 days at most. */
    site_hour_days: Type.Integer({ minimum: 1, maximum: 31 }),
    /**
     * How long sessions of network elements are remembered once they are over. What an element repeats later would count
     * again, and one that was cut off may repeat for days.
     */
    ended_session_days: Type.Integer({ minimum: 7, maximum: 366 }),
    /**
     * How long purges of the web accelerator are kept for edges that are away; one that comes back later empties its
     * cache. A purge waits 12 seconds for live edges, and an edge is live for 10: an hour is enough for the protocol.
     */
    edge_event_hours: Type.Integer({ minimum: 1, maximum: 744 }),
    /** How many devices of an account may stay connected to one process. */
    iot_connections_per_account: Type.Integer({ minimum: 1, maximum: 100_000 }),
    /** A device that sends more, and stays connected, is read more slowly. */
    iot_device_messages_per_second: Type.Integer({ minimum: 1, maximum: 10_000 }),
  },
  { additionalProperties: false },
)

export type WorldSettings = Static<typeof WorldSettings>

export const DEFAULTS: WorldSettings = {
  sims_per_gateway: 10_000,
  webaccel_calls_per_hour: 500,
  sms_language: 'ja',
  sms_network: 'deliver',
  sms_delivery_seconds: 2,
  sms_otp_retention_hours: 24,
  sms_per_destination: 5,
  sms_per_day: 1000,
  sms_countries: ['81'],
  // RFC 2544 keeps it for tests: no address of it is anybody's.
  public_addresses: '198.18.0.0/15',
  traffic_journal_hours: 6,
  traffic_days: 62,
  session_log_days: 93,
  iot_message_hours: 168,
  iot_dead_letter_days: 30,
  sms_message_days: 400,
  notice_days: 400,
  usage_days: 800,
  audit_days: 400,
  site_hour_days: 31,
  ended_session_days: 31,
  edge_event_hours: 1,
  iot_connections_per_account: 5000,
  iot_device_messages_per_second: 100,
}

/** What a schema cannot say; undefined when the value is right. */
export function problemOf(name: string, value: unknown): Text | undefined {
  if (name !== 'public_addresses' || parseCidr(String(value)) !== undefined) return undefined
  return {
    en: 'must be a network such as 198.18.0.0/15, without host bits.',
    ja: 'は 198.18.0.0/15 のようなネットワーク（ホスト部は 0）でなければなりません。',
  }
}
