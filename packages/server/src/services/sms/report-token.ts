/** Names a message in an address that only we can have given out: what Kannel calls with its reports. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../kernel/constant-time.ts'
import type { MessageId } from './rules.ts'

export class ReportTokens {
  readonly #key: Buffer

  /** `masterKey` is the key-encryption key; what signs here is made from it and used for nothing else. */
  constructor(masterKey: Uint8Array) {
    this.#key = createHmac('sha256', masterKey).update('sms report').digest()
  }

  sign(messageId: MessageId): string {
    return `${messageId}.${this.#signature(messageId)}`
  }

  /** Undefined when it was not signed here. */
  read(token: string): MessageId | undefined {
    const [id = '', signature = ''] = token.split('.')
    if (!isSameSecret(signature, this.#signature(id))) return undefined
    // The cast is where a signature vouches for an id.
    return id as MessageId
  }

  #signature(id: string): string {
    return createHmac('sha256', this.#key).update(id).digest('base64url')
  }
}
