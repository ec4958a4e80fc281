/** The account's own limits and what it has used of them: ours, beyond the interface. */
import { defineContract } from '../../kernel/contract.ts'
import { orNull } from '../../kernel/fields.ts'
import { QUOTA_NAMES, type QuotaName } from '../../kernel/quotas.ts'
import { type Static, type TSchema, Type } from '../../kernel/type.ts'

const Limit = orNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

// One member for each name; `fromEntries` forgets which.
const members = Object.fromEntries(QUOTA_NAMES.map((name) => [name, Limit])) as Record<
  QuotaName,
  typeof Limit
>

/** What is left out stays, null takes a limit away. */
export const QuotaInput = Type.Object(members, { additionalProperties: false })
export type QuotaInput = Static<typeof QuotaInput>

const orNothing = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const ownQuotaContract = defineContract({
  ownQuotaList: {
    method: 'GET',
    path: '/quota',
    summary: 'List the limits of the account, and what it has used of them',
    access: 'view',
    reply: Type.Object({
      Quotas: Type.Array(
        Type.Object({
          Name: Type.Enum([...QUOTA_NAMES]),
          Limit: orNothing(Type.Integer()),
          /** Null where nothing is counted, as of requests. */
          Used: orNothing(Type.Integer()),
        }),
      ),
    }),
    refuses: {},
  },
})
