import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import type { elementRequestContract } from './contract.ts'
import type { Sender } from './sender.ts'
import { RequestStore } from './store.ts'
import { requestToWire } from './wire.ts'

export function elementRequestHandlers(
  sender: Sender,
): Handlers<typeof elementRequestContract, OperatorContext> {
  return {
    elementRequestList: ({ query }, { database }) =>
      database.read(async (tx) => {
        const { total, requests } = await new RequestStore(tx).search(query)
        const { from: From } = query
        return { From, Count: requests.length, Total: total, requests: requests.map(requestToWire) }
      }),

    async elementRequestCheck(_input, { database }) {
      const waiting = await database.read((tx) => new RequestStore(tx).countWaiting())
      return { ...(await sender.check()), waiting }
    },
  }
}
