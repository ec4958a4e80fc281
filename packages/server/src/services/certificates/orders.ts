/** Orders certificates of the authority that the settings name, for the server and for sites. */
import type { Clock } from '../../kernel/clock.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import type { Issued } from './rules.ts'
import { accountOwner, ChallengeStore, findAccountKey, putAccountKey } from './store.ts'

/** Who speaks ACME (planes/acme). */
export interface Authority {
  readonly directory: string
  newAccountKey(): string
  /** Rejects with a sentence when the authority does not issue it. */
  order(domains: readonly string[], accountKey: string, challenges: Challenges): Promise<Issued>
}

/** Where the authority's questions are answered (http-01). */
export interface Challenges {
  put(token: string, answer: string): Promise<void>
  delete(token: string): Promise<void>
}

/** Far longer than an authority takes to ask. */
const CHALLENGE_LIFE_MS = HOUR_MS
/** At once. An authority asks a few times for each name; others who ask shall not keep the database busy. */
const LOOKUPS_MAX = 32

export class CertificateOrders {
  readonly #database: Database
  readonly #box: SecretBox
  readonly #machine: Pick<Clock, 'now'>
  readonly #authority: Authority
  #lookups = 0

  constructor(parts: {
    readonly database: Database
    readonly box: SecretBox
    readonly machine: Pick<Clock, 'now'>
    readonly authority: Authority
  }) {
    this.#database = parts.database
    this.#box = parts.box
    this.#machine = parts.machine
    this.#authority = parts.authority
  }

  get directory(): string {
    return this.#authority.directory
  }

  /** What is answered to the authority; undefined when it has not asked for this, or when too many ask. */
  async findAnswer(token: string): Promise<string | undefined> {
    if (this.#lookups >= LOOKUPS_MAX) return undefined
    this.#lookups += 1
    try {
      return await this.#database.read((tx) => new ChallengeStore(tx).find(token))
    } finally {
      this.#lookups -= 1
    }
  }

  /** The authority cannot be asked to stop; when the server does, its answer is not waited for. */
  async order(domains: readonly string[], signal?: AbortSignal): Promise<Issued> {
    signal?.throwIfAborted()
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const onAbort = () => reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const ordered = this.#accountKey().then((key) =>
        this.#authority.order(domains, key, this.#challenges()),
      )
      return await Promise.race([ordered, aborted])
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async #accountKey(): Promise<string> {
    const { directory } = this.#authority
    const owner = accountOwner(directory)
    const find = () => this.#database.read((tx) => findAccountKey(tx, directory))
    const kept = await find()
    if (kept !== undefined) return this.#box.open(kept, owner)
    const sealed = this.#box.seal(this.#authority.newAccountKey(), owner)
    await this.#database.write((tx) => putAccountKey(tx, directory, sealed))
    return this.#box.open((await find()) ?? sealed, owner)
  }

  #challenges(): Challenges {
    const now = () => this.#machine.now()
    const expiresAt = () => new Date(now().getTime() + CHALLENGE_LIFE_MS)
    return {
      put: (token, answer) =>
        this.#database.write((tx) => new ChallengeStore(tx).put(token, answer, expiresAt())),
      delete: (token) => this.#database.write((tx) => new ChallengeStore(tx).delete(token, now())),
    }
  }
}
