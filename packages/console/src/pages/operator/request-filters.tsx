import { setQuery } from '../../router.ts'
import { Check, Field, Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import {
  type RequestFilter,
  type RequestRow,
  STATUSES,
  type StatusChoice,
} from './request-filter.ts'
import { operatorText } from './texts.ts'

export interface RequestFiltersProps {
  readonly filter: RequestFilter
  /** What has come so far: operations and accounts are chosen from it. */
  readonly seen: readonly RequestRow[]
}

export function RequestFilters({ filter, seen }: RequestFiltersProps) {
  const { words, status, operation, account, withoutReads, withConsole } = filter
  const others = [operation, account, withoutReads, withConsole].filter(Boolean).length
  return (
    <Filters
      chosen={others + (status === 'all' ? 0 : 1)}
      first={
        <Field
          label={operatorText('filter')}
          type="search"
          value={words}
          placeholder={operatorText('filterHint')}
          onInput={(q) => setQuery({ q })}
        />
      }
    >
      <Select<StatusChoice>
        label={operatorText('status')}
        value={status}
        onChange={(show) => setQuery({ show })}
        options={STATUSES.map((one) => [one, operatorText(`status_${one}`)] as const)}
      />
      <Choice
        label={operatorText('operation')}
        value={operation}
        values={seen.map((row) => row.operation)}
        onChange={(next) => setQuery({ operation: next })}
      />
      <Choice
        label={operatorText('account')}
        value={account}
        values={seen.map((row) => row.account ?? '')}
        onChange={(next) => setQuery({ account: next })}
      />
      <div class="checks">
        <Check
          label={operatorText('changesOnly')}
          isChecked={withoutReads}
          onChange={(isOn) => setQuery({ changes: isOn ? '1' : '' })}
        />
        <Check
          label={operatorText('withConsole')}
          isChecked={withConsole}
          onChange={(isOn) => setQuery({ console: isOn ? '1' : '' })}
        />
      </div>
    </Filters>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}

/** One that was chosen stays on offer, also when the last request of it is gone. */
function Choice({ label, value, values, onChange }: ChoiceProps) {
  const known = [...new Set([...values, value])].filter((one) => one !== '').sort()
  const options = known.map((one) => [one, one] as const)
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      options={[['', operatorText('all')], ...options]}
    />
  )
}
