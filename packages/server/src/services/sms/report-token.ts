/** Names a message in an address that only we can have given out: what Kannel calls with its reports. */
import type { EncryptionKeys } from '../../kernel/encryption-key.ts'
import { Signer } from '../../kernel/signer.ts'
import type { MessageId } from './rules.ts'

export class ReportTokens {
  readonly #signer: Signer

  constructor(keys: EncryptionKeys) {
    this.#signer = new Signer(keys, 'sms report')
  }

  sign(messageId: MessageId): string {
    return `${messageId}.${this.#signer.sign(messageId)}`
  }

  /** Undefined when it was not signed here. */
  read(token: string): MessageId | undefined {
    const [id = '', signature = ''] = token.split('.')
    if (!this.#signer.isSigned(id, signature)) return undefined
    // The cast is where a signature vouches for an id.
    return id as MessageId
  }
}
