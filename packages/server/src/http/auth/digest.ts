/**
 * Digest credentials (RFC 7616) on the paths that accept them: MD5 and SHA-256, qop=auth. A nonce is a
 * time sealed with a key, so any process can judge one that another gave out; each count of a nonce is
 * good for one request.
 */
import { createHash, createHmac } from 'node:crypto'
import { type Caller, REALM } from '../../kernel/caller.ts'
import { isSameSecret } from '../../kernel/constant-time.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { type Random, randomHex } from '../../kernel/random.ts'
import type { From, Throttle } from './throttle.ts'

export const NONCE_LIFE_MS = 5 * 60 * 1000

const ALGORITHMS = { MD5: 'md5', 'SHA-256': 'sha256' } as const
type Algorithm = keyof typeof ALGORITHMS

/** What the credentials of a key hash to (RFC 7616, HA1). */
export type Ha1 = Readonly<Record<Algorithm, string>>

export interface DigestOptions {
  /** The newest first: a nonce under an older one is good, too. */
  readonly keys: readonly Uint8Array[]
  readonly random: Random
  readonly now: () => Date
  readonly throttle: Throttle
  /** The caller, where `isRight` says so; asked of an unknown token, too, so that it takes as long. */
  readonly verify: (token: string, isRight: (ha1: Ha1) => boolean) => Promise<Caller | undefined>
  /** False when this count of the nonce has been used before. */
  readonly use: (nonce: string, count: number, expiresAt: Date) => Promise<boolean>
}

/** The credentials are right but too old: a client may answer the new challenge without its user. */
export class StaleNonce extends Unauthorized {}

export class DigestAuthenticator {
  readonly #options: DigestOptions

  constructor(options: DigestOptions) {
    this.#options = options
  }

  challenges(): string[] {
    return Object.keys(ALGORITHMS).map((algorithm) => {
      const parts = [
        `realm="${REALM}"`,
        'qop="auth"',
        `algorithm=${algorithm}`,
        `nonce="${this.#makeNonce()}"`,
      ]
      return `Digest ${parts.join(', ')}`
    })
  }

  /** `target` is the request target as it was sent. */
  async authenticate(
    header: string,
    { method, target, from }: { method: string; target: string; from: From },
  ): Promise<Caller> {
    const fields = parseDigest(header)
    const algorithm = (fields.get('algorithm') ?? 'MD5').toUpperCase()
    if (!isAlgorithm(algorithm) || fields.get('qop') !== 'auth' || fields.get('realm') !== REALM) {
      throw refused()
    }
    const {
      username = '',
      nonce = '',
      nc = '',
      cnonce = '',
      uri = '',
      response = '',
    } = Object.fromEntries(fields)
    const madeAt = this.#readNonce(nonce)
    if (madeAt === undefined || uri !== target || !/^[0-9a-f]{8}$/i.test(nc) || cnonce === '')
      throw refused()
    const { verify, throttle } = this.#options
    const caller = await throttle.guard(from, username, async () => {
      const hash = (text: string) => createHash(ALGORITHMS[algorithm]).update(text).digest('hex')
      const found = await verify(username, ({ [algorithm]: ha1 }) => {
        const expected = hash([ha1, nonce, nc, cnonce, 'auth', hash(`${method}:${uri}`)].join(':'))
        return isSameSecret(response.toLowerCase(), expected)
      })
      if (found === undefined) throw refused()
      return found
    })
    const expiresAt = new Date(madeAt.getTime() + NONCE_LIFE_MS)
    if (expiresAt <= this.#options.now()) {
      throw new StaleNonce('The nonce has expired.', 'nonce の有効期限が切れています。')
    }
    if (!(await this.#options.use(nonce, Number.parseInt(nc, 16), expiresAt))) {
      throw new Unauthorized('This header has been used before.', 'このヘッダーは使用済みです。')
    }
    return caller
  }

  #makeNonce(): string {
    const text = `${this.#options.now().getTime().toString(36)}.${randomHex(this.#options.random, 16)}`
    return `${text}.${sign(this.#options.keys[0], text)}`
  }

  /** When it was given out; undefined when it is none of ours. */
  #readNonce(nonce: string): Date | undefined {
    const [time = '', salt = '', signature = ''] = nonce.split('.')
    const text = `${time}.${salt}`
    const isOurs = this.#options.keys.some((key) => isSameSecret(signature, sign(key, text)))
    if (!isOurs) return undefined
    return new Date(Number.parseInt(time, 36))
  }
}

function sign(key: Uint8Array | undefined, text: string): string {
  return createHmac('sha256', key ?? '')
    .update(`digest nonce ${text}`)
    .digest('hex')
    .slice(0, 32)
}

/** One pair and the comma after it. Sticky: what does not match here ends the parsing, in linear time. */
const PAIR = /[\s,]*(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,|$)/y

/** `key=value` and `key="value"` pairs; empty when anything else is there, or a key is there twice. */
export function parseDigest(header: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const text = header.replace(/^digest +/i, '').trimEnd()
  for (let at = 0; at < text.length; at = PAIR.lastIndex) {
    PAIR.lastIndex = at
    const [, key, quoted, bare = ''] = PAIR.exec(text) ?? []
    const name = key?.toLowerCase()
    if (name === undefined || fields.has(name)) return new Map()
    fields.set(name, quoted?.replaceAll(/\\(.)/g, '$1') ?? bare)
  }
  return fields
}

function isAlgorithm(text: string): text is Algorithm {
  return text in ALGORITHMS
}

function refused(): Unauthorized {
  return new Unauthorized(
    'The Digest credentials are wrong.',
    'Digest 認証情報が正しくありません。',
  )
}
