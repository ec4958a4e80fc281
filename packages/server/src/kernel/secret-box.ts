/**
 * Encryption at rest under the key-encryption key, which lives outside the database: AES-256-GCM,
 * bound to what the secret belongs to, so that a sealed value copied to another row does not open.
 *
 * The nonce is made from owner and text under a key of its own. GCM is broken by a nonce that comes twice
 * with different texts; a random one would do so when a seeded server is started again on the same
 * folder. What this gives away is whether the same secret was sealed twice for the same owner.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
} from 'node:crypto'

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const MOST_OPENED = 100

export class SecretBox {
  readonly #key: KeyObject
  readonly #nonceKey: Uint8Array
  readonly #opened = new Map<string, { readonly owner: string; readonly text: string }>()

  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) {
      throw new Error(`A key-encryption key has ${KEY_BYTES} bytes; this one has ${key.length}.`)
    }
    this.#key = createSecretKey(key)
    this.#nonceKey = createHmac('sha256', key).update('nonce').digest()
  }

  seal(plain: string, owner: string): string {
    const nonce = this.#nonceFor(plain, owner)
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

  /**
   * As `open`, for the few secrets that many requests need: they stay open in memory, where the key that
   * opens them lies, too.
   */
  openOften(sealed: string, owner: string): string {
    const known = this.#opened.get(sealed)
    if (known?.owner === owner) return known.text
    const text = this.open(sealed, owner)
    if (this.#opened.size >= MOST_OPENED) this.#opened.clear()
    this.#opened.set(sealed, { owner, text })
    return text
  }

  #nonceFor(plain: string, owner: string): Buffer {
    // The length keeps owner and text apart.
    const text = `${owner.length} ${owner} ${plain}`
    return createHmac('sha256', this.#nonceKey).update(text).digest().subarray(0, NONCE_BYTES)
  }
}
