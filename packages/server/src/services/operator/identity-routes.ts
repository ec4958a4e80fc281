/** Accounts and keys in the hands of the operator. */
import type { Handlers } from '../../kernel/contract.ts'
import { Conflict } from '../../kernel/errors.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import {
  type Account,
  AccountStore,
  changeContact,
  type KeyRing,
  KeyStore,
} from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { operatorContract } from './contract.ts'
import { accountToWire, keyToWire, madeKeyToWire } from './wire.ts'

type Identity =
  | 'accountList'
  | 'accountCreate'
  | 'accountUpdate'
  | 'keyList'
  | 'keyCreate'
  | 'keyRotate'
  | 'keyRevoke'

export function identityHandlers(
  ring: KeyRing,
): Pick<Handlers<typeof operatorContract, OperatorContext>, Identity> {
  return {
    accountList: (_input, { database }) =>
      database.read(async (tx) => ({
        accounts: (await new AccountStore(tx).list()).map(accountToWire),
      })),

    accountCreate: ({ body }, { database, now }) =>
      database.write(async (tx) => {
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

    keyList: ({ params }, { database }) =>
      database.read(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        const keys = await new KeyStore(tx).listOf(account.id)
        return { keys: keys.map(({ key }) => keyToWire(key)) }
      }),

    keyCreate: ({ params, body }, { database, now }) =>
      database.write(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        const { permission, external = [] } = body
        return madeKeyToWire(await ring.make(tx, account, { permission, external }, now))
      }),

    keyRotate: ({ params }, { database }) =>
      database.write(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        return madeKeyToWire(await ring.rotate(tx, account, params.token))
      }),

    keyRevoke: ({ params }, { database }) =>
      database.write(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        await ring.revoke(tx, account, params.token)
        return {}
      }),
  }
}
