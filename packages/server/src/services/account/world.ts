/** The `accounts` of a world file. */
import { ACCESS_LEVELS, EXTERNAL_PERMISSIONS } from '../../kernel/contract.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import { NO_NUL, orNull } from '../../kernel/fields.ts'
import { ID_PATTERN, idFromNumber, LAST_GIVEN_ID, parseId } from '../../kernel/ids.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import {
  type Change,
  claimId,
  countChanges,
  WorldProblem,
  type WorldSection,
} from '../world-section.ts'
import { ContactInput } from './contact-contract.ts'
import { keyLimitFields } from './key-contract.ts'
import { changeLimits, limitProblem, NO_LIMITS } from './key-limit-rules.ts'
import type { KeyRing } from './key-ring.ts'
import { QuotaInput } from './quota-contract.ts'
import { changeQuotas } from './quota-rules.ts'
import {
  type Account,
  CODE_PATTERN,
  changeContact,
  NAME_LENGTH_MAX,
  SECRET_LENGTH_MAX,
  TOKEN_PATTERN,
} from './rules.ts'
import { AccountStore, KeyStore, type StoredKey } from './store.ts'

const closed = { additionalProperties: false }

const KeyEntry = Type.Object(
  {
    token: Type.String({ pattern: TOKEN_PATTERN }),
    secret: Type.Optional(
      Type.Union([
        Type.String({ minLength: 1, maxLength: SECRET_LENGTH_MAX }),
        // As an export gives it: worth something only under the same key-encryption key.
        Type.Object({ sealed: Type.String({ maxLength: 4096 }) }, closed),
      ]),
    ),
    permission: Type.Enum([...ACCESS_LEVELS]),
    external: Type.Optional(Type.Array(Type.Enum([...EXTERNAL_PERMISSIONS]))),
    ...keyLimitFields,
  },
  closed,
)
type KeyEntry = Static<typeof KeyEntry>

const AccountEntry = Type.Object(
  {
    id: Type.Optional(Type.String({ pattern: ID_PATTERN })),
    code: Type.String({ pattern: CODE_PATTERN }),
    name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, pattern: NO_NUL }),
    class: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX })),
    member: Type.Optional(
      Type.Object({ code: Type.String({ pattern: CODE_PATTERN }), class: Type.String() }, closed),
    ),
    contact: orNull(ContactInput),
    quotas: Type.Optional(QuotaInput),
    keys: Type.Optional(Type.Array(KeyEntry)),
  },
  closed,
)
type AccountEntry = Static<typeof AccountEntry>

const Accounts = Type.Array(AccountEntry)

export function accountsSection(ring: KeyRing): WorldSection {
  return {
    key: 'accounts',
    schema: Accounts,
    async apply(value, tx, now) {
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      const entries = value as Static<typeof Accounts>
      refuseRepeated(entries)
      for (const [index, entry] of entries.entries()) {
        const { account, change } = await applyAccount(ring, entry, [index], tx, now)
        const keyChanges = await applyKeys(ring, account, entry, [index, 'keys'], tx, now)
        changes.push(change, ...keyChanges)
      }
      return countChanges(changes)
    },
    async export(tx) {
      const accounts = await new AccountStore(tx).list()
      return Promise.all(accounts.map((account) => exportAccount(account, tx)))
    },
  }
}

/** Of two entries with one code, the later would quietly overwrite the first. */
function refuseRepeated(entries: readonly AccountEntry[]): void {
  for (const [index, { code }] of entries.entries()) {
    const first = entries.findIndex((entry) => entry.code === code)
    if (first === index) continue
    const en = `${code} is given twice; accounts[${first}] has it already.`
    throw new WorldProblem([index, 'code'], en, `${code} は accounts[${first}] と重複しています。`)
  }
}

async function applyAccount(
  ring: KeyRing,
  entry: AccountEntry,
  path: readonly (string | number)[],
  tx: Tx,
  now: Date,
): Promise<{ account: Account; change: Change }> {
  const accounts = new AccountStore(tx)
  const found = await accounts.find(entry.code)
  const id = entry.id === undefined ? undefined : parseId<'account'>(entry.id)
  if (found !== undefined && id !== undefined && found.id !== id) {
    const en = `is ${id}, but the account ${entry.code} has the id ${found.id}.`
    throw new WorldProblem([...path, 'id'], en, `が既存の id ${found.id} と異なります。`)
  }
  if (id !== undefined && Number(id) > LAST_GIVEN_ID) {
    const en = `may be at most ${LAST_GIVEN_ID}.`
    throw new WorldProblem([...path, 'id'], en, `は ${LAST_GIVEN_ID} 以下です。`)
  }
  const account: Account = {
    id: found?.id ?? id ?? idFromNumber<'account'>(await tx.next('resource')),
    code: entry.code,
    name: entry.name,
    class: entry.class ?? found?.class ?? 'account',
    member: {
      code: entry.member?.code ?? found?.member.code ?? entry.code,
      class: entry.member?.class ?? found?.member.class ?? 'member',
    },
    contact: changeContact(found?.contact, entry.contact),
    quotas: changeQuotas(found?.quotas, entry.quotas),
    createdAt: found?.createdAt ?? now,
  }
  if (found === undefined) {
    if (id !== undefined) await claimId(tx, id, [...path, 'id'])
    if (!(await accounts.insert(account))) {
      throw new WorldProblem(
        [...path, 'id'],
        `${account.id} is taken.`,
        `${account.id} は使用済みです。`,
      )
    }
    return { account, change: 'created' }
  }
  if (JSON.stringify(found) === JSON.stringify(account)) return { account, change: 'unchanged' }
  await accounts.update(account)
  // Callers that were verified a moment ago have the quotas of before.
  tx.afterCommit(() => ring.forget())
  return { account, change: 'updated' }
}

async function applyKeys(
  ring: KeyRing,
  account: Account,
  entry: AccountEntry,
  path: readonly (string | number)[],
  tx: Tx,
  now: Date,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const [index, sent] of (entry.keys ?? []).entries()) {
    const { token, secret, permission, external = [] } = sent
    const problem = limitProblem(sent)
    if (problem !== undefined) {
      const { en, ja } = problem.text
      throw new WorldProblem([...path, index, ...problem.path], en, ja)
    }
    const stored = await new KeyStore(tx).find(token)
    const key = {
      token,
      accountId: account.id,
      permission,
      external: EXTERNAL_PERMISSIONS.filter((word) => external.includes(word)),
      createdAt: stored?.key.createdAt ?? now,
      ...changeLimits(stored?.key ?? NO_LIMITS, sent),
    }
    if (stored !== undefined && stored.key.accountId !== account.id) {
      const en = 'belongs to another account.'
      throw new WorldProblem([...path, index, 'token'], en, 'は別のアカウントのキーです。')
    }
    if (typeof secret === 'object' && !ring.opens(token, secret.sealed)) {
      const en = 'was sealed under another key-encryption key, or for another token.'
      throw new WorldProblem([...path, index, 'secret'], en, 'は別の暗号鍵で封印されています。')
    }
    if (stored !== undefined) {
      changes.push((await ring.change(tx, key, secret)) ? 'updated' : 'unchanged')
      continue
    }
    if (secret === undefined) {
      const en = 'is missing, and there is no such key yet.'
      throw new WorldProblem([...path, index, 'secret'], en, 'がなく、キーも未登録です。')
    }
    await ring.add(tx, key, secret)
    changes.push('created')
  }
  return changes
}

async function exportAccount(account: Account, tx: Tx): Promise<AccountEntry> {
  const keys = await new KeyStore(tx).listOf(account.id)
  return {
    id: account.id,
    code: account.code,
    name: account.name,
    class: account.class,
    member: { ...account.member },
    ...(account.contact && { contact: { ...account.contact } }),
    ...(account.quotas && { quotas: { ...account.quotas } }),
    keys: keys.map(exportKey),
  }
}

function exportKey({ key, verifier }: StoredKey): KeyEntry {
  const { token, permission, external, expiresAt, allowedAddresses, note } = key
  return {
    token,
    secret: { sealed: verifier },
    permission,
    external: [...external],
    ...(expiresAt && { expires_at: utcMicros(expiresAt) }),
    ...(allowedAddresses.length > 0 && { allowed_addresses: [...allowedAddresses] }),
    ...(note !== '' && { note }),
  }
}
