import { japanPlain } from '../../kernel/datetime.ts'
import type { Account } from '../account/public.ts'
import type { Maintenance } from './rules.ts'

function fieldsToWire(one: Maintenance) {
  return {
    maintenance_id: one.id,
    zone: one.zone,
    start_at: japanPlain(one.startAt),
    end_at: japanPlain(one.endAt),
    title: one.title,
    info_url: one.infoUrl,
    service: one.service,
  }
}

/** `account` is the one whose resources are asked for; without it nobody's are shown. */
export function maintenanceToWire(one: Maintenance, account: Account | undefined) {
  const own = one.affects.filter(({ accountId }) => accountId === account?.id)
  const resources = own.map(({ resourceClass, resourceId }) => ({
    resource_class: resourceClass,
    resource_id: resourceId,
  }))
  const { id = '', name = '', code = '' } = account ?? {}
  const accounts = [{ account_id: id, account_name: name, account_code: code, resources }]
  return { ...fieldsToWire(one), accounts: account === undefined ? [] : accounts }
}

/** As the operator announces it, and as a world has it. */
export function announcementToWire(one: Maintenance, accounts: readonly Account[]) {
  return {
    ...fieldsToWire(one),
    affects: one.affects.map(({ accountId, resourceClass, resourceId }) => ({
      account: accounts.find(({ id }) => id === accountId)?.code ?? accountId,
      resource_class: resourceClass,
      resource_id: resourceId,
    })),
  }
}
