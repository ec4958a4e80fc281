import type { Handlers } from '../../kernel/contract.ts'
import { AccountStore } from '../account/public.ts'
import type { AccountContext } from '../context.ts'
import type { maintenanceContract } from './contract.ts'
import { daysOf, PAGE_COUNT_DEFAULT } from './rules.ts'
import { MaintenanceStore } from './store.ts'
import { maintenanceToWire } from './wire.ts'

export const maintenanceHandlers: Handlers<typeof maintenanceContract, AccountContext> = {
  async maintenanceList({ query }, { tx, caller, now }) {
    const { start_at, end_at, search_type, page_count, page } = query.Filter ?? {}
    const account =
      search_type === 'related' ? await new AccountStore(tx).get(caller.accountId) : undefined
    const days = daysOf(start_at ?? undefined, end_at ?? undefined, now)
    const wanted = { days, accountId: account?.id }
    const perPage = page_count ?? PAGE_COUNT_DEFAULT
    const store = new MaintenanceStore(tx)
    const total = await store.count(wanted)
    const found = await store.search(wanted, ((page ?? 1) - 1) * perPage, perPage)
    return {
      meta: { total_pages: Math.ceil(total / perPage), total_count: total },
      maintenances: found.map((one) => maintenanceToWire(one, account)),
    }
  },
}
