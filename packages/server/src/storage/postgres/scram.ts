/** SCRAM-SHA-256 (RFC 7677), the side that has the password; and the older way by MD5. */
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { systemRandom } from '../../kernel/random.ts'

export const SCRAM = 'SCRAM-SHA-256'
/** No channel binding; base64 of "n,,". */
const HEADER = 'n,,'
const HEADER_BASE64 = 'biws'

export class Scram {
  readonly #password: string
  readonly #nonce: string
  #serverSignature: Buffer | undefined

  constructor(password: string, nonce = systemRandom.bytes(18).toString('base64')) {
    this.#password = password
    this.#nonce = nonce
  }

  /** The name is left out: the server knows it from the start of the session. */
  first(): string {
    return `${HEADER}${this.#bare()}`
  }

  final(serverFirst: string): string {
    const { r: nonce = '', s: salt = '', i: rounds = '' } = attributes(serverFirst)
    if (!nonce.startsWith(this.#nonce) || Number(rounds) < 1) {
      throw new Error('The database answers another login than this one')
    }
    const salted = pbkdf2Sync(
      this.#password.normalize('NFKC'),
      Buffer.from(salt, 'base64'),
      Number(rounds),
      32,
      'sha256',
    )
    const clientKey = hmac(salted, 'Client Key')
    const storedKey = createHash('sha256').update(clientKey).digest()
    const unproved = `c=${HEADER_BASE64},r=${nonce}`
    const all = `${this.#bare()},${serverFirst},${unproved}`
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), all)
    const signature = hmac(storedKey, all)
    const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))
    return `${unproved},p=${Buffer.from(proof).toString('base64')}`
  }

  /** The server has to know the password, too. */
  check(serverFinal: string): void {
    const given = Buffer.from(attributes(serverFinal).v ?? '', 'base64')
    const own = this.#serverSignature
    if (own === undefined || given.length !== own.length || !timingSafeEqual(given, own)) {
      throw new Error('The database does not prove that it knows the password')
    }
  }

  #bare(): string {
    return `n=,r=${this.#nonce}`
  }
}

export function md5Password(user: string, password: string, salt: Buffer): string {
  const inner = md5(password + user)
  return `md5${md5(Buffer.concat([Buffer.from(inner), salt]))}`
}

function attributes(text: string): Record<string, string> {
  return Object.fromEntries(text.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex')
}
