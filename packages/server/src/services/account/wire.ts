import { createHash } from 'node:crypto'
import type { Caller } from '../../kernel/caller.ts'
import type { QuotaUse } from './quota-rules.ts'
import { type Account, type ApiKey, externalPermission } from './rules.ts'

/** The interface's authentication status. A key is the only way in, so some members are constant. */
export function authStatusToWire(account: Account, key: Pick<ApiKey, 'permission' | 'external'>) {
  return {
    Account: { ID: account.id, Code: account.code, Name: account.name, Class: account.class },
    Member: { Code: account.member.code, Class: account.member.class, Errors: [] },
    User: null,
    AuthMethod: 'apikey',
    AuthClass: 'account',
    Permission: key.permission,
    ExternalPermission: externalPermission(key),
    RESTFilter: null,
    IsAPIKey: true,
    OperationPenalty: 'none',
  }
}

export function quotaToWire({ name, limit, used }: QuotaUse) {
  return { Name: name, Limit: limit ?? null, Used: used ?? null }
}

/** A key belongs to one account; clients know keys and accounts by number here. */
export function authContextToWire({ token, accountId }: Caller) {
  return {
    resource_id: keyNumber(token),
    auth_type: 'apikey' as const,
    limited_to_project_id: Number(accountId),
  }
}

/** A key has no number of its own: one that its token gives, the same wherever it is asked for. */
function keyNumber(token: string): number {
  return createHash('sha256').update(token).digest().readUIntBE(0, 6)
}
