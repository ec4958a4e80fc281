/** What the devices of the account did last. */
import type { Element } from '@kumoi/client'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { remedyFor } from '../sims/remedies.ts'
import { overviewText } from './texts.ts'

type DeviceEvent = Element<'accountEventList'>

const SHOWN = 10
const TONES = { attached: 'good', detached: 'calm', refused: 'warn' } as const
const MARKS = { attached: '↑', detached: '↓', refused: '!' } as const

export function LastEvents({ code }: { code: string }) {
  const events = useQuery(
    async (signal) =>
      (await cloud().orThrow.accountEventList({ params: { code } }, { signal })).events,
    [code],
    { everyMs: 5000 },
  )
  return (
    <Card
      title={overviewText('events')}
      actions={<a href="#/operator/events">{overviewText('allEvents')}</a>}
    >
      <Loaded query={events}>
        {(list) =>
          list.length === 0 ? (
            <p>{overviewText('noEvents')}</p>
          ) : (
            <ul class="concerns">
              {withoutRepeats(list)
                .slice(0, SHOWN)
                .map((event) => (
                  <li key={`${event.time} ${event.resource_id} ${event.event}`} class="event">
                    <Badge tone={TONES[event.event]}>{MARKS[event.event]}</Badge>
                    <span>
                      <a href={hrefOf(event)}>{textOf(event)}</a>{' '}
                      <span class="note">{formatTime(event.time)}</span>
                    </span>
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

/** A device that is refused tries again and again: its newest refusal stands for all of them. */
function withoutRepeats(events: readonly DeviceEvent[]): DeviceEvent[] {
  const seen = new Set<string>()
  return events.filter(({ event, resource_id }) => {
    if (event !== 'refused') return true
    const isNew = !seen.has(resource_id)
    seen.add(resource_id)
    return isNew
  })
}

function hrefOf({ event, resource_id }: DeviceEvent): string {
  return `#/sims/${resource_id}?tab=${event === 'refused' ? 'refused' : 'sessions'}`
}

function textOf({ event, name, iccid, reason }: DeviceEvent): string {
  const texts = { name: name || iccid }
  if (event !== 'refused') return overviewText(event, texts)
  const remedy = remedyFor(reason ?? '')
  return overviewText('refusedEvent', { ...texts, remedy })
}
