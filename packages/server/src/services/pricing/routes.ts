import type { Handlers } from '../../kernel/contract.ts'
import type { VisitorContext } from '../context.ts'
import type { pricingContract } from './contract.ts'
import { PriceList } from './price-list.ts'
import { productToWire } from './wire.ts'

export const pricingHandlers: Handlers<typeof pricingContract, VisitorContext> = {
  async priceList(_input, { tx, caller }) {
    const prices =
      caller === undefined
        ? await PriceList.ofStrangers(tx)
        : await PriceList.of(tx, caller.accountId)
    const found = prices.list().map((one, Index) => ({ Index, ...productToWire(one) }))
    return { From: 0, Count: found.length, Total: found.length, ServiceClasses: found }
  },
}
