/**
 * Resource ids are strings of twelve digits. Those that we make begin with 9, so that an id that
 * leaks out of a test hits nothing real (docs/requests.md). The brand keeps the id of one kind of
 * thing from being passed where another is wanted.
 */

declare const kind: unique symbol

export type Id<Kind extends string> = string & { readonly [kind]: Kind }
export type AccountId = Id<'account'>
export type ItemId = Id<'item'>

export const ID_PATTERN = '^[0-9]{12}$'

/** Ids made by the server are counted up from here. */
export const FIRST_MADE_ID = 910_000_000_000
/** A world file may name ids up to here; those above are kept for counting on. */
export const LAST_GIVEN_ID = 949_999_999_999

const shape = new RegExp(ID_PATTERN)

export function parseId<Kind extends string>(text: string): Id<Kind> | undefined {
  // The cast is the one place where a checked string becomes an id.
  return shape.test(text) ? (text as Id<Kind>) : undefined
}

export function idFromNumber<Kind extends string>(value: number): Id<Kind> {
  return String(value).padStart(12, '0') as Id<Kind>
}
