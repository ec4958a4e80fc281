import { Badge } from '../../ui/badge.tsx'
import { simText } from './texts.ts'
import { type Entry, isUp } from './timeline.ts'

/** What an entry of a log of sessions tells: a device came, or it left. */
export function EventBadge({ entry }: { entry: Entry }) {
  return isUp(entry) ? (
    <Badge tone="good">{simText('came')}</Badge>
  ) : (
    <Badge tone="calm">{simText('left')}</Badge>
  )
}
