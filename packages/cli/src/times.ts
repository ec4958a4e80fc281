/** Times for people: in the zone of this machine, or in UTC. */

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/

/** A text that is a time, as people read it; any other as it is. */
export function timeText(text: string, isUtc: boolean): string {
  if (!TIME.test(text)) return text
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return text
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    ...(isUtc && { timeZone: 'UTC' }),
  })
  return isUtc ? `${format.format(at)}Z` : format.format(at)
}
