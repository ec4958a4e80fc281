/** Announced maintenances, as a calendar and as a list. */
import { useState } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { language } from '../../i18n.ts'
import { operatorReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { monthOf, nextMonth } from '../billing/bills.ts'
import { AnnounceDialog } from './announce-dialog.tsx'
import { type Entry, lastDayOf } from './calendar.ts'
import { EntryTable } from './entry-table.tsx'
import { Calendar } from './month-table.tsx'
import { maintenanceText } from './texts.ts'

const KINDS = ['all', 'related'] as const
/** As many as one answer may have. */
const AT_ONCE = 1000

export function Maintenance({ query }: PageInput) {
  const today = useQuery(
    async (signal) =>
      new Date((await serverNow(signal)) + 9 * 3_600_000).toISOString().slice(0, 10),
    [],
  )
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(query.month ?? '')
    ? query.month
    : today.data?.slice(0, 7)
  const kind = KINDS.find((one) => one === query.show) ?? 'all'
  const [isAnnouncing, setAnnouncing] = useState(false)
  const [round, setRound] = useState(0)
  return (
    <Page
      title={maintenanceText('title')}
      note={maintenanceText('note')}
      actions={
        <Button kind="primary" reason={operatorReason()} onClick={() => setAnnouncing(true)}>
          {maintenanceText('announce')}
        </Button>
      }
    >
      <Loaded query={today}>
        {(day) => month && <Month key={round} month={month} today={day} kind={kind} />}
      </Loaded>
      {isAnnouncing && today.data !== undefined && (
        <AnnounceDialog
          today={today.data}
          onClose={() => setAnnouncing(false)}
          onDone={(announced) => {
            setAnnouncing(false)
            setRound(round + 1)
            setQuery({ month: announced })
          }}
        />
      )}
    </Page>
  )
}

interface MonthProps {
  readonly month: string
  readonly today: string
  readonly kind: (typeof KINDS)[number]
}

function Month({ month, today, kind }: MonthProps) {
  const entries = useQuery((signal) => read(month, kind, signal), [month, kind])
  const show = (next: string) => setQuery({ month: next })
  const name = formatMonthName(month)
  return (
    <>
      <div class="filters">
        <div class="row">
          <Button label={maintenanceText('previous')} onClick={() => show(nextMonth(month, -1))}>
            ‹
          </Button>
          <Button onClick={() => show(monthOf(`${today}T00:00:00+09:00`))}>
            {maintenanceText('today')}
          </Button>
          <Button label={maintenanceText('next')} onClick={() => show(nextMonth(month))}>
            ›
          </Button>
        </div>
        <h2 class="month-name" aria-live="polite">
          {name}
        </h2>
        <Select
          label={maintenanceText('show')}
          value={kind}
          onChange={(show) => setQuery({ show })}
          options={KINDS.map((one) => [one, maintenanceText(one)] as const)}
        />
      </div>
      <Loaded query={entries}>
        {(list) => (
          <>
            <Calendar month={month} name={name} today={today} entries={list} />
            <EntryTable name={name} entries={list} />
          </>
        )}
      </Loaded>
    </>
  )
}

async function read(
  month: string,
  kind: MonthProps['kind'],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const Filter = {
    ...{ start_at: `${month}-01`, end_at: lastDayOf(month) },
    ...{ search_type: kind, page_count: AT_ONCE },
  }
  return (await cloud().orThrow.maintenanceList({ query: { Filter } }, { signal })).maintenances
}

function formatMonthName(month: string): string {
  return new Intl.DateTimeFormat(language.value === 'ja' ? 'ja-JP' : 'en-GB', {
    ...{ timeZone: 'UTC', year: 'numeric', month: 'long' },
  }).format(new Date(`${month}-01T00:00:00Z`))
}
