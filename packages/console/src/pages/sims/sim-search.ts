/** The search of the list: what the address holds, as the search object of the interface says it. */
export const FIELDS = ['Name', 'Status.ICCID', 'ID', 'Tags.Name'] as const
export type SearchField = (typeof FIELDS)[number]

type Query = Readonly<Record<string, string>>

export const fieldOf = (query: Query): SearchField =>
  FIELDS.find((one) => one === query.in) ?? 'Name'

/** Whether the list may lack some because of what was chosen. */
export const isFiltered = ({ q, active, session, gateway }: Query): boolean =>
  [q, active, session, gateway].some(Boolean)

/** What is in the address and not a choice of the page chooses nothing. */
export function filterOf(query: Query): Record<string, string | boolean> {
  const { q = '', active, session, gateway = '' } = query
  return {
    'Provider.Class': 'sim',
    ...(q !== '' && { [fieldOf(query)]: q }),
    ...(isYesNo(active) && { 'Status.sim.activated': active === 'yes' }),
    ...(isYesNo(session) && { 'Status.sim.session_status': session === 'yes' ? 'UP' : 'DOWN' }),
    ...(gateway !== '' && { 'Status.sim.simgroup_id': gateway }),
  }
}

export type YesNo = 'yes' | 'no'

export const isYesNo = (text: string | undefined): text is YesNo => text === 'yes' || text === 'no'
