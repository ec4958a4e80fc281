/** By what gateways and switches can be searched and sorted: the scalars that they show. */
import type { Zone } from '../../kernel/zone.ts'
import { zoneId } from '../../kernel/zone.ts'
import type { SearchFields } from '../../storage/search.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import { GATEWAY_CLASS, GATEWAY_SERVICE_CLASS, setBackAfter } from './rules.ts'

const labels: SearchFields = {
  ID: { column: raw('id'), type: 'text' },
  Name: { column: raw('name'), type: 'text' },
  Description: { column: raw('description'), type: 'text' },
  Tags: { column: raw('tags'), type: 'tags' },
  'Tags.Name': { column: raw('tags'), type: 'tags' },
  CreatedAt: { column: raw('created_at'), type: 'datetime' },
}

/** What follows from the time follows from it here too (docs/adr/0019-computed-state.md). */
export function gatewayFields(zone: Zone, now: Date): SearchFields {
  const made = sql`(available_at <= ${now} OR created_at > ${setBackAfter(now)})`
  return {
    ...labels,
    Class: { column: constant(GATEWAY_CLASS), type: 'text', exact: true },
    'Appliances.Class': { column: constant(GATEWAY_CLASS), type: 'text', exact: true },
    ServiceClass: { column: constant(GATEWAY_SERVICE_CLASS), type: 'text' },
    SettingsHash: { column: raw('settings_hash'), type: 'text' },
    Availability: {
      column: sql`(CASE WHEN ${made} THEN 'available' ELSE 'migrating' END)`,
      type: 'text',
    },
    'Plan.ID': { column: raw('plan_id'), type: 'number' },
    'Instance.Status': { column: sql`(CASE WHEN ${made} THEN power END)`, type: 'text' },
    'Instance.StatusChangedAt': {
      column: sql`(CASE WHEN ${made} THEN power_changed_at END)`,
      type: 'datetime',
    },
    'Remark.Zone.ID': { column: constant(zoneId(zone)), type: 'text' },
  }
}

export const switchFields: SearchFields = {
  ...labels,
  ModifiedAt: { column: raw('modified_at'), type: 'datetime' },
  Scope: { column: constant('user'), type: 'text', exact: true },
}

function constant(text: string): Sql {
  return sql`CAST(${text} AS TEXT)`
}
