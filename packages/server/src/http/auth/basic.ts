/** HTTP Basic credentials (RFC 7617), and who they belong to. */
import type { Caller } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'
import { hasNul } from '../../kernel/text-check.ts'
import type { From, Throttle } from './throttle.ts'

export interface Credentials {
  readonly token: string
  readonly secret: string
}

/** Undefined when the header is of another scheme or is no Basic header at all. */
export function parseBasic(header: string): Credentials | undefined {
  const encoded = /^basic +([a-z0-9+/_-]+=*) *$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 || hasNul(text)
    ? undefined
    : { token: text.slice(0, colon), secret: text.slice(colon + 1) }
}

export type VerifyKey = (credentials: Credentials) => Promise<Caller | undefined>

/** Verified headers that are cached; enough for the callers of one process. */
const CACHE_SIZE = 1000

interface Cached {
  readonly caller: Caller
  readonly until: number
}

/**
 * Finds the caller behind an Authorization header. A verified header is cached for a while, since
 * hashing costs as much as the rest of a request. `forget` is called when keys change here; a change
 * made by another process is seen when the entry expires.
 */
export class BasicAuthenticator {
  readonly #verify: VerifyKey
  readonly #now: () => Date
  readonly #throttle: Throttle
  readonly #cache = new Map<string, Cached>()
  #generation = 0
  /** How often a key was known already, and how often it was verified. */
  readonly uses = { hits: 0, misses: 0 }

  constructor(verify: VerifyKey, now: () => Date, throttle: Throttle) {
    this.#verify = verify
    this.#now = now
    this.#throttle = throttle
  }

  /**
   * The caller of a header that was verified a moment ago, without waiting and without hashing. Throws for a source that
   * is throttled: it would find out a secret that somebody else is using.
   */
  verified(header: string | undefined, from: From): Caller | undefined {
    // The map compares two headers only where their hashes agree, whose seed is random in each process.
    const cached = this.#cache.get(header ?? '')
    if (cached === undefined || cached.until <= this.#now().getTime()) return undefined
    this.#throttle.check(from, cached.caller.token)
    this.uses.hits += 1
    return cached.caller
  }

  async authenticate(header: string | undefined, from: From): Promise<Caller> {
    if (header === undefined) throw new Unauthorized('An API key is needed.', 'APIキーが必要です。')
    const credentials = parseBasic(header)
    if (credentials === undefined) {
      throw new Unauthorized(
        'The Authorization header is not valid Basic authentication.',
        'Authorization ヘッダーが Basic 認証の形式ではありません。',
      )
    }
    const known = this.verified(header, from)
    if (known !== undefined) return known
    const generation = this.#generation
    this.uses.misses += 1
    const caller = await this.#throttle.guard(from, credentials.token, async () => {
      const found = await this.#verify(credentials)
      if (found !== undefined) return found
      throw new Unauthorized(
        'The access token or its secret is wrong.',
        'アクセストークンまたはシークレットが正しくありません。',
      )
    })
    if (generation === this.#generation) this.#remember(header, caller)
    return caller
  }

  forget(): void {
    this.#generation += 1
    this.#cache.clear()
  }

  #remember(header: string, caller: Caller): void {
    if (this.#cache.size >= CACHE_SIZE) this.#cache.clear()
    this.#cache.set(header, { caller, until: this.#now().getTime() + CACHE_MS })
  }
}

/** How long a key that another process revoked may still be used here. */
const CACHE_MS = 5000
