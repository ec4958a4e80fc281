import type { Handlers } from '../../kernel/contract.ts'
import { type ListFields, searchList } from '../../kernel/search-list.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { VisitorContext } from '../context.ts'
import type { pricingContract } from './contract.ts'
import { PriceList } from './price-list.ts'
import { productToWire } from './wire.ts'

const fields: ListFields<ReturnType<typeof productToWire>> = {
  // Not a member: clients search both names by it.
  Name: ({ ServiceClassName, DisplayName }) => [ServiceClassName, DisplayName],
  ServiceClassID: ({ ServiceClassID }) => ServiceClassID,
  ServiceClassName: ({ ServiceClassName }) => ServiceClassName,
  ServiceClassPath: ({ ServiceClassPath }) => ServiceClassPath,
  DisplayName: ({ DisplayName }) => DisplayName,
  IsPublic: ({ IsPublic }) => IsPublic,
  'Price.Base': ({ Price }) => Price.Base,
  'Price.Hourly': ({ Price }) => Price.Hourly,
  'Price.Daily': ({ Price }) => Price.Daily,
  'Price.Monthly': ({ Price }) => Price.Monthly,
  'Price.Zone': ({ Price }) => Price.Zone,
}

/** What is sold in a zone that is not served here is not listed. */
export function pricingHandlers(
  zones: readonly Zone[],
): Handlers<typeof pricingContract, VisitorContext> {
  return {
    async priceList({ query }, { tx, caller }) {
      const prices =
        caller === undefined
          ? await PriceList.ofStrangers(tx)
          : await PriceList.of(tx, caller.accountId)
      const sold = prices.list().filter(({ zone }) => zone === undefined || zones.includes(zone))
      const { page, ...head } = searchList(sold.map(productToWire), query, fields)
      return { ...head, ServiceClasses: page }
    },
  }
}
