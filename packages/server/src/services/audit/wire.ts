import { utcMillis } from '../../kernel/datetime.ts'
import type { StoredEntry } from './rules.ts'

export function entryToWire(entry: StoredEntry) {
  const { id, link, at, caller, account, address, client, operation, target } = entry
  return {
    ...{ id, number: link?.number ?? null, time: utcMillis(at), caller, account: account ?? null },
    ...{ address, client: client ?? null, operation, target, status: entry.status },
    ...{ code: entry.code ?? null, serial: entry.serial },
  }
}

/** Where the operator calls from is nothing that an account has to know. */
export function ownEntryToWire({ id, at, caller, address, client, ...rest }: StoredEntry) {
  const isOperator = caller === 'operator'
  return {
    ...{ ID: id, Time: utcMillis(at), Caller: caller, Address: isOperator ? null : address },
    ...{ Client: (isOperator ? undefined : client) ?? null, Operation: rest.operation },
    ...{ Target: rest.target, Status: rest.status, Code: rest.code ?? null, Serial: rest.serial },
  }
}
