import type { AccessLevel, ExternalPermission } from '../../kernel/contract.ts'
import { EXTERNAL_PERMISSIONS } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { MailLanguage } from '../../kernel/mail-address.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { Account, ApiKey } from './rules.ts'

interface AccountRow {
  id: AccountId
  code: string
  name: string
  class: string
  member_code: string
  member_class: string
  contact_email: string | null
  contact_language: MailLanguage | null
  quotas: string | null
  created_at: number
}

const ACCOUNT =
  raw(`id, code, name, class, member_code, member_class, contact_email, contact_language,
  quotas, created_at`)

/** All accounts: for authentication and for the operator, never for a caller's own request. */
export class AccountStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async get(id: AccountId): Promise<Account> {
    const account = await this.findById(id)
    if (account === undefined) throw noSuchAccount(id)
    return account
  }

  async findById(id: AccountId): Promise<Account | undefined> {
    const row = await this.#tx.first<AccountRow>(
      sql`SELECT ${ACCOUNT} FROM account WHERE id = ${id}`,
    )
    return row && toAccount(row)
  }

  async find(code: string): Promise<Account | undefined> {
    const row = await this.#tx.first<AccountRow>(
      sql`SELECT ${ACCOUNT} FROM account WHERE code = ${code}`,
    )
    return row && toAccount(row)
  }

  async getByCode(code: string): Promise<Account> {
    const account = await this.find(code)
    if (account === undefined) throw noSuchAccount(code)
    return account
  }

  async list(): Promise<Account[]> {
    const rows = await this.#tx.all<AccountRow>(sql`SELECT ${ACCOUNT} FROM account ORDER BY id`)
    return rows.map(toAccount)
  }

  /** False when the id or the code is taken. */
  async insert(account: Account): Promise<boolean> {
    const { id, code, name, member, contact, createdAt } = account
    const changed = await this.#tx.run(
      sql`INSERT INTO account (${ACCOUNT})
          VALUES (${id}, ${code}, ${name}, ${account.class}, ${member.code}, ${member.class},
                  ${contact?.email ?? null}, ${contact?.language ?? null}, ${quotasToText(account)},
                  ${createdAt})
          ON CONFLICT DO NOTHING`,
    )
    return changed === 1
  }

  async update(account: Account): Promise<void> {
    await this.#tx.run(
      sql`UPDATE account SET name = ${account.name}, class = ${account.class},
            member_code = ${account.member.code}, member_class = ${account.member.class},
            contact_email = ${account.contact?.email ?? null},
            contact_language = ${account.contact?.language ?? null},
            quotas = ${quotasToText(account)}
          WHERE id = ${account.id}`,
    )
  }
}

interface KeyRow {
  token: string
  account_id: AccountId
  permission: AccessLevel
  external: string
  verifier: string
  created_at: number
  expires_at: number | null
  allowed_addresses: string
  note: string
  last_used_at: number | null
}

const NEW_KEY = raw(`token, account_id, permission, external, verifier, created_at, expires_at,
  allowed_addresses, note`)
const KEY = raw(`token, account_id, permission, external, verifier, created_at, expires_at,
  allowed_addresses, note, last_used_at`)

export interface StoredKey {
  readonly key: ApiKey
  /** Sealed; only the key ring opens it. */
  readonly verifier: string
}

export class KeyStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(token: string): Promise<StoredKey | undefined> {
    const row = await this.#tx.first<KeyRow>(sql`SELECT ${KEY} FROM api_key WHERE token = ${token}`)
    return row && toKey(row)
  }

  async listOf(accountId: AccountId): Promise<StoredKey[]> {
    const rows = await this.#tx.all<KeyRow>(
      sql`SELECT ${KEY} FROM api_key WHERE account_id = ${accountId} ORDER BY created_at, token`,
    )
    return rows.map(toKey)
  }

  /** False when the token is taken. */
  async insert({ key, verifier }: StoredKey): Promise<boolean> {
    const changed = await this.#tx.run(
      sql`INSERT INTO api_key (${NEW_KEY})
          VALUES (${key.token}, ${key.accountId}, ${key.permission}, ${key.external.join('+')},
                  ${verifier}, ${key.createdAt}, ${key.expiresAt ?? null},
                  ${key.allowedAddresses.join(' ')}, ${key.note})
          ON CONFLICT DO NOTHING`,
    )
    return changed === 1
  }

  async update({ key, verifier }: StoredKey): Promise<void> {
    await this.#tx.run(
      sql`UPDATE api_key SET permission = ${key.permission}, external = ${key.external.join('+')},
            verifier = ${verifier}, expires_at = ${key.expiresAt ?? null},
            allowed_addresses = ${key.allowedAddresses.join(' ')}, note = ${key.note}
          WHERE token = ${key.token}`,
    )
  }

  /** An earlier use than the one that is known changes nothing. */
  async noteUse(token: string, usedAt: Date): Promise<void> {
    await this.#tx.run(
      sql`UPDATE api_key SET last_used_at = ${usedAt}
          WHERE token = ${token} AND (last_used_at IS NULL OR last_used_at < ${usedAt})`,
    )
  }

  async delete(token: string): Promise<void> {
    await this.#tx.run(sql`DELETE FROM api_key WHERE token = ${token}`)
  }
}

function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    class: row.class,
    member: { code: row.member_code, class: row.member_class },
    contact:
      row.contact_email === null || row.contact_language === null
        ? undefined
        : { email: row.contact_email, language: row.contact_language },
    quotas: row.quotas === null ? undefined : JSON.parse(row.quotas),
    createdAt: new Date(row.created_at),
  }
}

function quotasToText({ quotas }: Account): string | null {
  return quotas === undefined ? null : JSON.stringify(quotas)
}

function toKey(row: KeyRow): StoredKey {
  const words = row.external.split('+')
  return {
    key: {
      token: row.token,
      accountId: row.account_id,
      permission: row.permission,
      external: EXTERNAL_PERMISSIONS.filter((word): word is ExternalPermission =>
        words.includes(word),
      ),
      createdAt: new Date(row.created_at),
      expiresAt: dateOf(row.expires_at),
      allowedAddresses: row.allowed_addresses === '' ? [] : row.allowed_addresses.split(' '),
      note: row.note,
      lastUsedAt: dateOf(row.last_used_at),
    },
    verifier: row.verifier,
  }
}

function dateOf(time: number | null): Date | undefined {
  return time === null ? undefined : new Date(time)
}

function noSuchAccount(name: string): NotFound {
  return new NotFound(`There is no account ${name}.`, `アカウント ${name} はありません。`)
}
