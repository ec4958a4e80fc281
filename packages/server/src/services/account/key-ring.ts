/** Makes, recognises and ends API keys. The secret of a made key is in its answer and nowhere else. */
import { AddressList } from '../../kernel/address-list.ts'
import type { Caller, CallerLimits } from '../../kernel/caller.ts'
import { Conflict, NotFound } from '../../kernel/errors.ts'
import { type Random, randomHex, randomSecret } from '../../kernel/random.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type KeyLimits, NO_LIMITS, sameLimits } from './key-limit-rules.ts'
import type { Account, ApiKey } from './rules.ts'
import { AccountStore, KeyStore } from './store.ts'
import { fits, makeVerifier, type Verifier } from './verifier.ts'

export const SEALED: SealedColumn = {
  ...{ table: 'api_key', column: 'verifier', key: ['token'] },
  owner: (token) => `api_key ${token}`,
}

/** Whose verifier is opened when there is no such token. */
const NOBODY = ''

export type KeyDraft = Pick<ApiKey, 'permission' | 'external'> & Partial<KeyLimits>

/** In clear, or as an export has it: sealed under our key-encryption key. */
export type GivenSecret = string | { readonly sealed: string }

export interface MadeKey {
  readonly key: ApiKey
  readonly secret: string
}

export class KeyRing {
  readonly #box: SecretBox
  readonly #random: Random
  readonly #changed: () => void
  readonly #nobody: string

  /** `changed` is called after every commit that makes a known key worthless. */
  constructor(box: SecretBox, random: Random, changed: () => void) {
    this.#box = box
    this.#random = random
    this.#changed = changed
    this.#nobody = this.#seal(NOBODY, '')
  }

  verify(database: Database, token: string, secret: string): Promise<Caller | undefined> {
    return this.verifyBy(database, token, (verifier) => fits(verifier, secret))
  }

  /**
   * The caller, where `isRight` says so of the verifier, which never leaves the process. An unknown token has one opened
   * and compared, too, so that it takes as long as a wrong secret.
   */
  verifyBy(
    database: Database,
    token: string,
    isRight: (verifier: Verifier) => boolean,
  ): Promise<Caller | undefined> {
    return database.read(async (tx) => {
      const stored = await new KeyStore(tx).find(token)
      const verifier = stored
        ? this.#open(token, stored.verifier)
        : this.#open(NOBODY, this.#nobody)
      if (!isRight(verifier) || stored === undefined) return undefined
      return callerOf(tx, stored.key)
    })
  }

  async make(tx: Tx, account: Account, draft: KeyDraft, now: Date): Promise<MadeKey> {
    const token = randomHex(this.#random, 32)
    const secret = randomSecret(this.#random)
    const key = { token, accountId: account.id, createdAt: now, ...NO_LIMITS, ...draft }
    await this.add(tx, key, secret)
    return { key, secret }
  }

  /** With a secret of somebody else's choosing, as in a world file. */
  async add(tx: Tx, key: ApiKey, secret: GivenSecret): Promise<void> {
    if (!(await new KeyStore(tx).insert({ key, verifier: this.#verifierOf(key.token, secret) }))) {
      throw new Conflict(
        `The token ${key.token} is taken.`,
        `トークン ${key.token} は使用済みです。`,
      )
    }
  }

  /** Makes a stored key as given; answers whether that changed anything. */
  async change(tx: Tx, key: ApiKey, secret: GivenSecret | undefined): Promise<boolean> {
    const keys = new KeyStore(tx)
    const stored = await keys.find(key.token)
    if (stored === undefined) throw noSuchKey(key.token)
    const sameSecret = secret === undefined || this.#isSame(key.token, stored.verifier, secret)
    const sameRights =
      stored.key.permission === key.permission &&
      stored.key.external.join('+') === key.external.join('+') &&
      sameLimits(stored.key, key)
    if (sameSecret && sameRights) return false
    const verifier = sameSecret ? stored.verifier : this.#verifierOf(key.token, secret)
    await keys.update({ key, verifier })
    tx.afterCommit(this.#changed)
    return true
  }

  /** Gives a key of the account other rights and limits; its secret stays. */
  async update(
    tx: Tx,
    account: Account,
    token: string,
    changed: (key: ApiKey) => ApiKey,
  ): Promise<ApiKey> {
    const { key } = await this.#ofAccount(tx, account, token)
    const next = changed(key)
    await this.change(tx, next, undefined)
    return next
  }

  async rotate(tx: Tx, account: Account, token: string): Promise<MadeKey> {
    const { key } = await this.#ofAccount(tx, account, token)
    const secret = randomSecret(this.#random)
    await new KeyStore(tx).update({ key, verifier: this.#seal(token, secret) })
    tx.afterCommit(this.#changed)
    return { key, secret }
  }

  async revoke(tx: Tx, account: Account, token: string): Promise<void> {
    await this.#ofAccount(tx, account, token)
    await new KeyStore(tx).delete(token)
    tx.afterCommit(this.#changed)
  }

  /** Whether a sealed secret is one of ours, for this token. */
  opens(token: string, sealed: string): boolean {
    try {
      this.#open(token, sealed)
      return true
    } catch {
      return false
    }
  }

  /** Everything is another world now: nothing that was known may be used. */
  forget(): void {
    this.#changed()
  }

  async #ofAccount(tx: Tx, account: Account, token: string) {
    const stored = await new KeyStore(tx).find(token)
    if (stored === undefined || stored.key.accountId !== account.id) throw noSuchKey(token)
    return stored
  }

  #isSame(token: string, stored: string, secret: GivenSecret): boolean {
    const known = this.#open(token, stored)
    if (typeof secret === 'string') return fits(known, secret)
    return this.#open(token, secret.sealed).sha256 === known.sha256
  }

  #verifierOf(token: string, secret: GivenSecret): string {
    if (typeof secret === 'string') return this.#seal(token, secret)
    // It may have been sealed under an older key, which is to go one day.
    const owner = SEALED.owner(token)
    return this.#box.seal(this.#box.open(secret.sealed, owner), owner)
  }

  #seal(token: string, secret: string): string {
    return this.#box.seal(JSON.stringify(makeVerifier(token, secret)), SEALED.owner(token))
  }

  #open(token: string, sealed: string): Verifier {
    return JSON.parse(this.#box.open(sealed, SEALED.owner(token)))
  }
}

async function callerOf(tx: Tx, key: ApiKey): Promise<Caller> {
  const { id, code, quotas } = await new AccountStore(tx).get(key.accountId)
  const { token, permission, external } = key
  const limits = limitsOf(key)
  return {
    ...{ accountId: id, accountCode: code, token, permission, external },
    ...(limits !== undefined && { limits }),
    ...(quotas !== undefined && { quotas }),
  }
}

function limitsOf({ expiresAt, allowedAddresses }: KeyLimits): CallerLimits | undefined {
  if (expiresAt === undefined && allowedAddresses.length === 0) return undefined
  return {
    expiresAt,
    allowedAddresses: allowedAddresses.length === 0 ? undefined : new AddressList(allowedAddresses),
  }
}

function noSuchKey(token: string): NotFound {
  return new NotFound(`There is no key ${token}.`, `キー ${token} はありません。`)
}
