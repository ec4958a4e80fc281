/** Accounts in the hands of the operator. */
import type { Handlers } from '../../kernel/contract.ts'
import { Conflict } from '../../kernel/errors.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import {
  type Account,
  AccountStore,
  changeContact,
  changeQuotas,
  type KeyRing,
  quotaUses,
} from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { operatorContract } from './contract.ts'
import { accountToWire, quotaToWire } from './wire.ts'

type AccountOperation =
  | 'accountList'
  | 'accountCreate'
  | 'accountUpdate'
  | 'quotaList'
  | 'quotaUpdate'

export function accountHandlers(
  ring: KeyRing,
): Pick<Handlers<typeof operatorContract, OperatorContext>, AccountOperation> {
  return {
    accountList: (_input, { database }) =>
      database.read(async (tx) => ({
        accounts: (await new AccountStore(tx).list()).map(accountToWire),
      })),

    accountCreate: ({ body }, { database, now, concerns }) =>
      database.write(async (tx) => {
        concerns(body.code)
        const account: Account = {
          id: idFromNumber<'account'>(await tx.next('resource')),
          code: body.code,
          name: body.name,
          class: 'account',
          member: { code: body.member?.code ?? body.code, class: 'member' },
          contact: changeContact(undefined, body.contact),
          createdAt: now,
        }
        if (!(await new AccountStore(tx).insert(account))) {
          throw new Conflict(
            `The account code ${body.code} is taken.`,
            `アカウントコード ${body.code} は使用済みです。`,
          )
        }
        return { account: accountToWire(account) }
      }),

    accountUpdate: ({ params, body }, { database }) =>
      database.write(async (tx) => {
        const accounts = new AccountStore(tx)
        const found = await accounts.getByCode(params.code)
        const { name = found.name, contact } = body
        const account: Account = {
          ...found,
          name,
          contact: changeContact(found.contact, contact),
        }
        await accounts.update(account)
        return { account: accountToWire(account) }
      }),

    quotaList: ({ params }, { database, now }) =>
      database.read(async (tx) =>
        quotasOf(tx, await new AccountStore(tx).getByCode(params.code), now),
      ),

    quotaUpdate: ({ params, body }, { database, now }) =>
      database.write(async (tx) => {
        const accounts = new AccountStore(tx)
        const found = await accounts.getByCode(params.code)
        const account = { ...found, quotas: changeQuotas(found.quotas, body) }
        await accounts.update(account)
        // Callers that were verified a moment ago have the quotas of before.
        tx.afterCommit(() => ring.forget())
        return quotasOf(tx, account, now)
      }),
  }
}

async function quotasOf(tx: Tx, { id: accountId, quotas }: Account, now: Date) {
  return { quotas: (await quotaUses(tx, { accountId, quotas }, now)).map(quotaToWire) }
}
