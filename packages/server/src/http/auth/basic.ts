/** HTTP Basic credentials (RFC 7617), and who they belong to. */
import type { Caller } from '../../kernel/caller.ts'
import { Unauthorized } from '../../kernel/errors.ts'

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
  return colon < 0 ? undefined : { token: text.slice(0, colon), secret: text.slice(colon + 1) }
}

export type VerifyKey = (credentials: Credentials) => Promise<Caller | undefined>

/** Of the keys used most recently; enough for the callers of one process. */
const MOST_KEPT = 1000

interface Kept {
  readonly caller: Caller
  readonly until: number
}

/**
 * Finds the caller behind an Authorization header. A header that has been verified is kept for a
 * while, so that hashing is not paid for with every request. `forget` is called when keys change
 * here; a change made by another process is seen when the entry has grown old.
 */
export class BasicDoor {
  readonly #verify: VerifyKey
  readonly #now: () => Date
  readonly #kept = new Map<string, Kept>()
  #generation = 0

  constructor(verify: VerifyKey, now: () => Date) {
    this.#verify = verify
    this.#now = now
  }

  /** The caller behind a header that was verified a moment ago; without waiting and without hashing. */
  known(header: string | undefined): Caller | undefined {
    // By the whole header: two are compared only when their hashes, seeded anew by each process, agree.
    const kept = this.#kept.get(header ?? '')
    return kept === undefined || kept.until <= this.#now().getTime() ? undefined : kept.caller
  }

  async identify(header: string | undefined): Promise<Caller> {
    if (header === undefined) {
      throw new Unauthorized('An API key is needed.', 'APIキーが必要です。')
    }
    const credentials = parseBasic(header)
    if (credentials === undefined) {
      throw new Unauthorized(
        'The Authorization header is not valid Basic authentication.',
        'Authorization ヘッダーが Basic 認証の形式ではありません。',
      )
    }
    const known = this.known(header)
    if (known !== undefined) return known
    const generation = this.#generation
    const caller = await this.#verify(credentials)
    if (caller === undefined) {
      throw new Unauthorized(
        'The access token or its secret is wrong.',
        'アクセストークンまたはシークレットが正しくありません。',
      )
    }
    if (generation === this.#generation) this.#keep(header, caller)
    return caller
  }

  forget(): void {
    this.#generation += 1
    this.#kept.clear()
  }

  #keep(header: string, caller: Caller): void {
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    this.#kept.set(header, { caller, until: this.#now().getTime() + KEPT_MS })
  }
}

/** How long a key that another process revoked may still be used here. */
const KEPT_MS = 5000
