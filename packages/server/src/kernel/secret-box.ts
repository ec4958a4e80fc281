/**
 * Encryption at rest under the key-encryption keys, which live outside the database: AES-256-GCM,
 * bound to what the secret belongs to, so that a sealed value copied to another row does not open. The newest
 * key seals; a value names the key that opens it, unless that is the one without an id.
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
import { type EncryptionKey, type EncryptionKeys, KEY_BYTES } from './encryption-key.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const MOST_OPENED = 100

export class SecretBox {
  readonly #newest: Sealer
  readonly #sealers: ReadonlyMap<string, Sealer>
  readonly #opened = new Map<string, { readonly owner: string; readonly text: string }>()

  constructor(keys: EncryptionKeys) {
    const [newest, ...older] = keys
    this.#newest = new Sealer(newest)
    this.#sealers = new Map(
      [this.#newest, ...older.map((key) => new Sealer(key))].map((sealer) => [sealer.id, sealer]),
    )
  }

  /** The newest first; empty for the one without an id. */
  get keyIds(): readonly string[] {
    return [...this.#sealers.keys()]
  }

  isNewest(sealed: string): boolean {
    return keyIdOf(sealed) === this.#newest.id
  }

  seal(plain: string, owner: string): string {
    return this.#newest.seal(plain, owner)
  }

  /** Throws when the value was sealed under a key that is not here, or for another owner. */
  open(sealed: string, owner: string): string {
    const id = keyIdOf(sealed)
    const sealer = this.#sealers.get(id)
    if (sealer === undefined) {
      throw new Error(`It was sealed under the key ${id || 'without an id'}, which is not known.`)
    }
    return sealer.open(id === '' ? sealed : sealed.slice(id.length + 1), owner)
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
}

/** Seals and opens under one key. */
class Sealer {
  readonly id: string
  readonly #key: KeyObject
  readonly #nonceKey: Uint8Array

  constructor({ id, bytes }: EncryptionKey) {
    if (bytes.length !== KEY_BYTES) {
      throw new Error(`A key-encryption key has ${KEY_BYTES} bytes; this one has ${bytes.length}.`)
    }
    this.id = id
    this.#key = createSecretKey(bytes)
    this.#nonceKey = createHmac('sha256', bytes).update('nonce').digest()
  }

  seal(plain: string, owner: string): string {
    const nonce = this.#nonceFor(plain, owner)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(owner))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    const text = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    return this.id === '' ? text : `${this.id}:${text}`
  }

  open(text: string, owner: string): string {
    const bytes = Buffer.from(text, 'base64')
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

  #nonceFor(plain: string, owner: string): Buffer {
    // The length keeps owner and text apart.
    const text = `${owner.length} ${owner} ${plain}`
    return createHmac('sha256', this.#nonceKey).update(text).digest().subarray(0, NONCE_BYTES)
  }
}

/** Base64 has no colon. */
export function keyIdOf(sealed: string): string {
  const colon = sealed.indexOf(':')
  return colon < 0 ? '' : sealed.slice(0, colon)
}
