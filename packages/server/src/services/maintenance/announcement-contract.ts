/** How the operator announces maintenances, and how a world declares them: one form for both. */
import { defineContract } from '../../kernel/contract.ts'
import { NO_NUL } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { ZONES } from '../../kernel/zone.ts'
import { RESOURCE_CLASSES } from './rules.ts'

const closed = { additionalProperties: false }
const Text = Type.String({ maxLength: 1000, pattern: NO_NUL })
/** It stands in paths. */
const MaintenanceId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$' })

const fields = {
  zone: Type.Enum([...ZONES]),
  start_at: Type.String(),
  end_at: Type.String(),
  title: Text,
  info_url: Type.Optional(Text),
  service: Type.Optional(Text),
  affects: Type.Optional(
    Type.Array(
      Type.Object(
        {
          account: Type.String(),
          resource_class: Type.Enum([...RESOURCE_CLASSES]),
          resource_id: Type.String({ minLength: 1, maxLength: 64, pattern: NO_NUL }),
        },
        closed,
      ),
    ),
  ),
}

export const MaintenanceEntry = Type.Object({ maintenance_id: MaintenanceId, ...fields }, closed)

const Draft = Type.Object({ maintenance_id: Type.Optional(MaintenanceId), ...fields }, closed)
const Path = Type.Object({ maintenance_id: Type.String() })
const One = Type.Object({ maintenance: MaintenanceEntry })

const broken = 'a time is none, the end is not after the start, or an account is unknown'
const unknown = 'there is no such maintenance'

export const announcementContract = defineContract({
  announcementList: {
    method: 'GET',
    path: '/maintenances',
    summary: 'List all announced maintenances',
    access: 'operator',
    reply: Type.Object({ maintenances: Type.Array(MaintenanceEntry) }),
    refuses: {},
  },
  announcementCreate: {
    method: 'POST',
    path: '/maintenances',
    summary: 'Announce a maintenance',
    access: 'operator',
    body: Draft,
    status: 201,
    reply: One,
    refuses: { bad_request: broken, conflict: 'the id is taken' },
  },
  announcementUpdate: {
    method: 'PUT',
    path: '/maintenances/{maintenance_id}',
    summary: 'Announce a maintenance anew',
    access: 'operator',
    params: Path,
    body: Type.Object(fields, closed),
    reply: One,
    refuses: { bad_request: broken, not_found: unknown },
  },
  announcementDelete: {
    method: 'DELETE',
    path: '/maintenances/{maintenance_id}',
    summary: 'Withdraw a maintenance',
    access: 'operator',
    params: Path,
    reply: Type.Object({}),
    refuses: { not_found: unknown },
  },
})
