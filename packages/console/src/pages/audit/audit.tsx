/** The audit trail: of the account whose key is used, and of all accounts for the operator. */
import { useQuery } from '../../data/query.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { type AuditRow, EntryTable } from './entry-table.tsx'
import { auditText } from './texts.ts'

interface Wanted {
  readonly operation?: string
  readonly account?: string
  readonly since?: string
  readonly until?: string
  readonly before?: number
}

interface Part {
  readonly rows: readonly AuditRow[]
  readonly next: number | null
}

export function OwnAudit({ query }: PageInput) {
  const load = async (wanted: Wanted, signal: AbortSignal): Promise<Part> => {
    const { operation: Operation, since: Since, until: Until, before: Before } = wanted
    const given = Object.entries({ Operation, Since, Until, Before })
    const known = Object.fromEntries(given.filter(([, value]) => value !== undefined))
    const { AuditEntries, Next } = await cloud().orThrow.ownAuditList({ query: known }, { signal })
    const rows = AuditEntries.map((entry) => ({
      ...{ id: entry.ID, time: entry.Time, caller: entry.Caller, account: null },
      ...{ address: entry.Address, client: entry.Client, operation: entry.Operation },
      ...{ target: entry.Target, status: entry.Status, code: entry.Code, serial: entry.Serial },
    }))
    return { rows, next: Next }
  }
  return <AuditPage query={query} note={auditText('own')} load={load} accounts={undefined} />
}

export function AllAudit({ query }: PageInput) {
  const accounts = useQuery(
    async (signal) => (await cloud().orThrow.accountList({}, { signal })).accounts,
    [],
  )
  const load = async (wanted: Wanted, signal: AbortSignal): Promise<Part> => {
    const { entries, next } = await cloud().orThrow.auditList({ query: wanted }, { signal })
    return { rows: entries, next }
  }
  const codes = accounts.data?.map(({ code }) => code) ?? []
  return <AuditPage query={query} note={auditText('all')} load={load} accounts={codes} />
}

interface AuditPageProps {
  readonly query: PageInput['query']
  readonly note: string
  readonly load: (wanted: Wanted, signal: AbortSignal) => Promise<Part>
  /** To choose from; undefined where there is one alone. */
  readonly accounts: readonly string[] | undefined
}

function AuditPage({ query, note, load, accounts }: AuditPageProps) {
  const wanted = wantedOf(query)
  const part = useQuery((signal) => load(wanted, signal), [wanted])
  return (
    <Page title={auditText('title')} note={note}>
      <AuditFilters query={query} accounts={accounts} />
      <Loaded query={part}>
        {({ rows, next }) => (
          <>
            <EntryTable rows={rows} />
            <div class="actions">
              {wanted.before !== undefined && (
                <Button onClick={() => setQuery({ before: '' })}>{auditText('newest')}</Button>
              )}
              {next !== null && (
                <Button onClick={() => setQuery({ before: String(next) })}>
                  {auditText('older')}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Another choice begins at the newest entry again. */
const choose = (changes: Readonly<Record<string, string>>) => setQuery({ ...changes, before: '' })

function AuditFilters({ query, accounts }: Pick<AuditPageProps, 'query' | 'accounts'>) {
  const { operation = '', account = '', since = '', until = '' } = query
  return (
    <Filters
      chosen={[account, since, until].filter(Boolean).length}
      first={
        <Field
          label={auditText('operation')}
          type="search"
          value={operation}
          placeholder={auditText('operationHint')}
          onInput={(next) => choose({ operation: next })}
        />
      }
    >
      {accounts !== undefined && (
        <Select
          label={auditText('account')}
          value={account}
          onChange={(next) => choose({ account: next })}
          options={[
            ['', auditText('allAccounts')],
            ...accounts.map((code) => [code, code] as const),
          ]}
        />
      )}
      <Field
        label={auditText('since')}
        type="date"
        value={since}
        onInput={(next) => choose({ since: next })}
      />
      <Field
        label={auditText('until')}
        type="date"
        value={until}
        onInput={(next) => choose({ until: next })}
      />
    </Filters>
  )
}

/** Only words can be names of operations; days are those of the reader. */
function wantedOf({ operation, account, since, until, before }: PageInput['query']): Wanted {
  const word = operation?.trim().replaceAll(/[^\w.-]/g, '')
  const from = dayStart(since, 0)
  const to = dayStart(until, 1)
  return {
    ...(word && { operation: word }),
    ...(account && { account }),
    ...(from !== undefined && { since: from }),
    ...(to !== undefined && { until: to }),
    ...(before && /^\d{1,15}$/.test(before) && { before: Number(before) }),
  }
}

function dayStart(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? []
  if (year === undefined) return undefined
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString()
}
