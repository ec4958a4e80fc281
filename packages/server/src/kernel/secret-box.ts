/**
 * Encryption at rest under the key-encryption key, which lives outside the database: AES-256-GCM,
 * bound to what the secret belongs to, so that a sealed value copied to another row does not open.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Random } from './random.ts'

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export class SecretBox {
  readonly #key: Uint8Array
  readonly #random: Random

  constructor(key: Uint8Array, random: Random) {
    if (key.length !== KEY_BYTES) {
      throw new Error(`A key-encryption key has ${KEY_BYTES} bytes; this one has ${key.length}.`)
    }
    this.#key = key
    this.#random = random
  }

  seal(plain: string, owner: string): string {
    const nonce = this.#random.bytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(owner))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
  }

  /** Throws when the value was sealed under another key or for another owner. */
  open(sealed: string, owner: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce)
      .setAAD(Buffer.from(owner))
      .setAuthTag(tag)
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') +
      decipher.final('utf8')
    )
  }
}
