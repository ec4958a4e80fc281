import { defineContract } from '../../kernel/contract.ts'
import { listed } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'

const ServiceClass = Type.Object({
  ServiceClassID: Type.Integer(),
  ServiceClassName: Type.String(),
  ServiceClassPath: Type.String(),
  DisplayName: Type.String(),
  IsPublic: Type.Boolean(),
  Price: Type.Object({
    Base: Type.Integer(),
    Hourly: Type.Integer(),
    Daily: Type.Integer(),
    Monthly: Type.Integer(),
    Zone: Type.String(),
  }),
})

export const pricingContract = defineContract({
  /** The path ends in `.json` in the interface, which every path may. */
  priceList: {
    method: 'GET',
    path: '/public/price',
    summary: 'List the prices: the public ones without credentials, with them those of the account',
    access: 'view',
    query: 'search',
    openWith: { header: 'x-requested-with', value: 'XMLHttpRequest' },
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      ServiceClasses: Type.Array(listed(ServiceClass)),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
})
