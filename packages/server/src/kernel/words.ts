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
}

export const INTERFACE_WORDS: Words = {
  beautifyHeader: 'x-service-api-beautify',
  bigintHeader: 'x-bigint-as-int',
  deliveryDomain: 'user.webaccel.example',
}
