import { defineContract } from '../../kernel/contract.ts'
import { orNull } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { PAGE_COUNT_MAX, SEARCH_TYPES } from './rules.ts'

const Entry = Type.Object({
  maintenance_id: Type.String(),
  zone: Type.String(),
  start_at: Type.String(),
  end_at: Type.String(),
  title: Type.String(),
  info_url: Type.String(),
  service: Type.String(),
  accounts: Type.Array(
    Type.Object({
      account_id: Type.String(),
      account_name: Type.String(),
      account_code: Type.String(),
      resources: Type.Array(
        Type.Object({ resource_class: Type.String(), resource_id: Type.String() }),
      ),
    }),
  ),
})

export const maintenanceContract = defineContract({
  maintenanceList: {
    method: 'GET',
    path: '/maintenances',
    summary: 'List the maintenances of a period',
    access: 'view',
    query: Type.Object({
      Filter: orNull(
        Type.Object({
          start_at: orNull(Type.String()),
          end_at: orNull(Type.String()),
          search_type: orNull(Type.Enum([...SEARCH_TYPES])),
          page_count: orNull(Type.Integer({ minimum: 1, maximum: PAGE_COUNT_MAX })),
          page: orNull(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
        }),
      ),
    }),
    reply: Type.Object({
      meta: Type.Object({ total_pages: Type.Integer(), total_count: Type.Integer() }),
      maintenances: Type.Array(Entry),
    }),
    refuses: {
      bad_request:
        'a day is none, the end is before the start, the search type is unknown, or page or page_count is out of range',
    },
  },
})
