/**
 * Words of the real wire that the interface text has replaced by neutral ones (decisions.md, Vendor
 * words). They are data, handed to those who write or read the wire; nothing else knows them.
 */
export interface Words {
  /** Asks for an indented answer. */
  readonly beautifyHeader: string
  /** The chat notification of a gateway's traffic control, and the address in it. */
  readonly chatConfig: string
  readonly chatUrl: string
  /** The three carriers of a world that names none itself. */
  readonly carriers: readonly string[]
  /** What `Provider` shows of a SIM. */
  readonly simProvider: ProviderWords
}

export interface ProviderWords {
  readonly id: number
  readonly name: string
  readonly serviceClass: string
}

export const INTERFACE_WORDS: Words = {
  beautifyHeader: 'x-service-api-beautify',
  chatConfig: 'chat_config',
  chatUrl: 'chat_url',
  carriers: ['carrier-a', 'carrier-b', 'carrier-c'],
  simProvider: { id: 8_000_001, name: 'sim', serviceClass: 'cloud/sim' },
}
