/** Signatures that any process with the same key file can check, for addresses that are given out. */
import { createHmac } from 'node:crypto'
import { isSameSecret } from './constant-time.ts'
import type { EncryptionKeys } from './encryption-key.ts'

export class Signer {
  readonly #keys: readonly Buffer[]

  /** What signs is made from the key-encryption keys, and used for this purpose and nothing else. */
  constructor(keys: EncryptionKeys, purpose: string) {
    this.#keys = keys.map(({ bytes }) => createHmac('sha256', bytes).update(purpose).digest())
  }

  /** Under the newest key. */
  sign(content: string): string {
    return signature(content, this.#keys[0])
  }

  /** Also under an older key, for as long as it is in the key file. */
  isSigned(content: string, given: string): boolean {
    return this.#keys.some((key) => isSameSecret(given, signature(content, key)))
  }
}

function signature(content: string, key: Buffer | undefined): string {
  return createHmac('sha256', key ?? '')
    .update(content)
    .digest('base64url')
}
