/** By what items can be searched and sorted: every scalar that an item shows, by its dotted path. */
import type { SearchFields } from '../../storage/search.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import type { ItemKind } from './kind.ts'

export function searchFields(kinds: readonly ItemKind[]): SearchFields {
  return {
    ID: { column: raw('id'), type: 'text' },
    Name: { column: raw('name'), type: 'text' },
    Description: { column: raw('description'), type: 'text' },
    Availability: { column: raw('availability'), type: 'text' },
    ServiceClass: { column: byClass(kinds, (kind) => kind.serviceClass), type: 'text' },
    CreatedAt: { column: raw('created_at'), type: 'datetime' },
    ModifiedAt: { column: raw('modified_at'), type: 'datetime' },
    'Provider.Class': { column: raw('class'), type: 'text', exact: true },
    'Provider.ID': { column: byClass(kinds, (kind) => kind.provider.id), type: 'number' },
    'Provider.Name': { column: byClass(kinds, (kind) => kind.provider.name), type: 'text' },
    'Provider.ServiceClass': {
      column: byClass(kinds, (kind) => kind.provider.serviceClass),
      type: 'text',
    },
    'Status.ICCID': { column: raw('external_key'), type: 'text' },
    'Tags.Name': { column: raw('tags'), type: 'tags' },
    Tags: { column: raw('tags'), type: 'tags' },
    ...Object.assign({}, ...kinds.map((kind) => kind.searchFields)),
  }
}

/** What depends on the class alone is not stored with each item, only looked up. */
function byClass(kinds: readonly ItemKind[], value: (kind: ItemKind) => string | number): Sql {
  return kinds.reduceRight(
    (otherwise, kind) =>
      sql`CASE WHEN class = ${kind.class} THEN ${operand(value(kind))} ELSE ${otherwise} END`,
    raw('NULL'),
  )
}

// PostgreSQL takes a parameter that stands beside no column for a text, and would compare numbers as texts.
function operand(value: string | number): Sql {
  return typeof value === 'number' ? sql`CAST(${value} AS BIGINT)` : sql`${value}`
}
