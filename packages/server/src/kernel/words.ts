/**
 * Words of the real wire that the interface text has replaced by neutral ones. They are data, handed to
 * those who write or read the wire; nothing else knows them.
 */
export interface Words {
  /** Asks for an indented answer. */
  readonly beautifyHeader: string
  /** Asks for numbers where the interface gives 64-bit values as texts. */
  readonly bigintHeader: string
  /** What delivery subdomains end in. */
  readonly deliveryDomain: string
  /** What `Provider` shows, by the class of the item. */
  readonly providers: Readonly<Record<'sim' | 'esme' | 'iotplatform', ProviderWords>>
  /** A second name of `retryCount` in the logs of short messages, for clients that know only that. */
  readonly retryCountTwin: string | undefined
  /** The chat notification of a gateway's traffic control, and the address in it. */
  readonly chatConfig: string
  readonly chatUrl: string
  /** A header besides those of Standard Webhooks: the hex HMAC-SHA1 of the raw body. */
  readonly webhookSignatureHeader: string | undefined
  /** The three carriers of a world that names none itself. */
  readonly carriers: readonly string[]
}

export interface ProviderWords {
  readonly id: number
  readonly name: string
  readonly serviceClass: string
}

export const INTERFACE_WORDS: Words = {
  beautifyHeader: 'x-service-api-beautify',
  bigintHeader: 'x-bigint-as-int',
  deliveryDomain: 'user.webaccel.example',
  providers: {
    sim: { id: 8_000_001, name: 'sim', serviceClass: 'cloud/sim' },
    esme: { id: 3, name: 'esme', serviceClass: 'cloud/esme' },
    iotplatform: { id: 5_130_001, name: 'iotplatform', serviceClass: 'cloud/iotplatform' },
  },
  retryCountTwin: undefined,
  chatConfig: 'chat_config',
  chatUrl: 'chat_url',
  webhookSignatureHeader: undefined,
  carriers: ['carrier-a', 'carrier-b', 'carrier-c'],
}
