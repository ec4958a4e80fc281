/**
 * The only source of random bytes. With a seed the same sequence comes every time, so that the same
 * requests on the same clock give byte-identical answers; without one it is the system's entropy.
 */
import { type Cipheriv, createCipheriv, createHash, randomBytes } from 'node:crypto'

export interface Random {
  bytes(count: number): Buffer
}

/** Asking the system costs more than the bytes, so they are asked for in advance; none is given twice. */
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

export const systemRandom: Random = {
  bytes(count) {
    if (count > POOL_BYTES) return randomBytes(count)
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  },
}

/** The key stream of AES in counter mode under the seed's hash: repeatable and well distributed. */
export class SeededRandom implements Random {
  readonly #stream: Cipheriv

  constructor(seed: string) {
    const key = createHash('sha256').update(seed).digest()
    this.#stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  }

  bytes(count: number): Buffer {
    return this.#stream.update(Buffer.alloc(count))
  }
}

export function randomHex(random: Random, digits: number): string {
  return random
    .bytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits)
}

/** Decimal digits without bias: bytes from 250 up are thrown away, since 256 is no multiple of 10. */
export function randomDigits(random: Random, count: number): string {
  let digits = ''
  while (digits.length < count) {
    for (const byte of random.bytes(count)) {
      if (byte < 250 && digits.length < count) digits += String(byte % 10)
    }
  }
  return digits
}

/** A secret of 256 bits that needs no escaping anywhere. */
export function randomSecret(random: Random): string {
  return random.bytes(32).toString('base64url')
}
