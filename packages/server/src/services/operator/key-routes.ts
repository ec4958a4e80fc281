/** Keys in the hands of the operator. */
import { EXTERNAL_PERMISSIONS, type Handlers } from '../../kernel/contract.ts'
import { BadRequest } from '../../kernel/errors.ts'
import { formatPath } from '../../kernel/schema.ts'
import {
  AccountStore,
  changeLimits,
  type KeyRing,
  KeyStore,
  limitProblem,
  NO_LIMITS,
} from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { operatorContract } from './contract.ts'
import { keyToWire, madeKeyToWire } from './wire.ts'

type KeyOperation = 'keyList' | 'keyCreate' | 'keyUpdate' | 'keyRotate' | 'keyRevoke'

export function keyHandlers(
  ring: KeyRing,
): Pick<Handlers<typeof operatorContract, OperatorContext>, KeyOperation> {
  return {
    keyList: ({ params }, { database }) =>
      database.read(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        const keys = await new KeyStore(tx).listOf(account.id)
        return { keys: keys.map(({ key }) => keyToWire(key)) }
      }),

    keyCreate: ({ params, body }, { database, now }) =>
      database.write(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        checkLimits(body)
        const { permission, external = [] } = body
        const draft = { permission, external, ...changeLimits(NO_LIMITS, body) }
        return madeKeyToWire(await ring.make(tx, account, draft, now))
      }),

    keyUpdate: ({ params, body }, { database }) =>
      database.write(async (tx) => {
        const account = await new AccountStore(tx).getByCode(params.code)
        checkLimits(body)
        const key = await ring.update(tx, account, params.token, (found) => {
          const { permission = found.permission, external = found.external } = body
          return {
            ...found,
            permission,
            external: EXTERNAL_PERMISSIONS.filter((word) => external.includes(word)),
            ...changeLimits(found, body),
          }
        })
        return { key: keyToWire(key) }
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

function checkLimits(sent: Parameters<typeof limitProblem>[0]): void {
  const problem = limitProblem(sent)
  if (problem === undefined) return
  const path = formatPath(problem.path)
  throw new BadRequest(`${path} ${problem.text.en}`, `${path} ${problem.text.ja}`)
}
