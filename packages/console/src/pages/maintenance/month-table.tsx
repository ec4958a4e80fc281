import { language } from '../../i18n.ts'
import { useNarrow } from '../../ui/narrow.ts'
import { type Day, type Entry, touches, weeksOf } from './calendar.ts'
import { maintenanceText } from './texts.ts'

export interface CalendarProps {
  readonly month: string
  readonly name: string
  readonly today: Day
  readonly entries: readonly Entry[]
}

export function Calendar({ month, name, today, entries }: CalendarProps) {
  const weeks = weeksOf(month)
  const label = maintenanceText('calendar', { month: name })
  if (useNarrow()) return <MonthList label={label} {...{ month, name, today, entries }} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus.
    <section class="table-frame" aria-label={label} tabIndex={0}>
      <table class="calendar">
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            {(weeks[0] ?? []).map((day) => (
              <th key={day} scope="col">
                {weekday(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]}>
              {days.map((day) => (
                <td
                  key={day}
                  class={day.startsWith(month) ? undefined : 'other'}
                  aria-current={day === today ? 'date' : undefined}
                >
                  <span class="day-number">{Number(day.slice(8))}</span>
                  <Entries day={day} entries={entries} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** On a telephone seven columns are too many: the days on which something happens, one below the other. */
function MonthList({ label, month, today, entries }: CalendarProps & { label: string }) {
  const days = weeksOf(month)
    .flat()
    .filter((day) => day.startsWith(month) && entries.some((entry) => touches(entry, day)))
  if (days.length === 0) return null
  return (
    <ol class="month-list" aria-label={label}>
      {days.map((day) => (
        <li key={day} aria-current={day === today ? 'date' : undefined}>
          <p class="month-day">
            <span class="day-number">{Number(day.slice(8))}</span> {weekday(day)}
          </p>
          <Entries day={day} entries={entries} />
        </li>
      ))}
    </ol>
  )
}

function Entries({ day, entries }: { day: Day; entries: readonly Entry[] }) {
  const own = entries.filter((entry) => touches(entry, day))
  if (own.length === 0) return null
  return (
    <ul class="entries">
      {own.map((entry) => (
        <li key={entry.maintenance_id} class={isMine(entry) ? 'mine' : undefined}>
          <span class="entry-time">
            {entry.start_at.startsWith(day) ? entry.start_at.slice(11, 16) : '…'}
          </span>{' '}
          {entry.title} <span class="entry-zone">{entry.zone}</span>
        </li>
      ))}
    </ul>
  )
}

export function isMine({ accounts }: Entry): boolean {
  return accounts.some(({ resources }) => resources.length > 0)
}

function weekday(day: Day): string {
  return new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    ...{ timeZone: 'UTC', weekday: 'short' },
  }).format(new Date(`${day}T00:00:00Z`))
}
