/** The icon of a resource: the id of one, or none. The pictures themselves are no part of this cloud. */
import { NO_NUL, orNull } from './fields.ts'
import { type Static, Type } from './type.ts'

/** As a caller sets it. */
export const IconField = orNull(
  Type.Object({
    ID: Type.Optional(Type.Union([Type.String({ pattern: NO_NUL }), Type.Integer()])),
  }),
)

/** As answers show it. */
export const Icon = Type.Union([Type.Object({ ID: Type.String() }), Type.Null()])

export function iconToWire(iconId: string | undefined): Static<typeof Icon> {
  return iconId === undefined ? null : { ID: iconId }
}

/** Undefined leaves the icon, null takes it away. Clients send an empty object, or the ID 0, for none. */
export function iconFromWire(
  icon: Static<typeof IconField> | undefined,
): string | null | undefined {
  if (icon === undefined || icon === null) return icon
  const id = String(icon.ID ?? '')
  return id === '' || id === '0' ? null : id
}
