/** Which SIMs the list shows. The address holds the choice, so that a link and a reload find it again. */
import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { fieldOf, isFiltered, isYesNo, type SearchField, type YesNo } from './sim-search.ts'
import { simText } from './texts.ts'

/** A rest after typing, so that not every letter is a question. */
const TYPING_MS = 250

type Query = Readonly<Record<string, string>>

export function SimFilters({ query }: { query: Query }) {
  const [typed, setTyped] = useState(query.q ?? '')
  useEffect(() => {
    // Not what the address has: written a moment later, it would undo what was cleared meanwhile.
    if (typed === (query.q ?? '')) return
    const timer = setTimeout(() => setQuery({ q: typed }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  // Also when the list's own button has cleared it.
  useEffect(() => setTyped(query.q ?? ''), [query.q])
  const { active, session, gateway } = query
  const clear = () => {
    setTyped('')
    setQuery({ q: '', active: '', session: '', gateway: '' })
  }
  return (
    <Filters
      chosen={[active, session, gateway].filter(Boolean).length}
      first={<Field label={simText('search')} type="search" value={typed} onInput={setTyped} />}
    >
      <Select<SearchField>
        label={simText('searchIn')}
        value={fieldOf(query)}
        onChange={(next) => setQuery({ in: next })}
        options={[
          ['Name', simText('byName')],
          ['Status.ICCID', simText('byIccid')],
          ['ID', simText('byId')],
          ['Tags.Name', simText('byTag')],
        ]}
      />
      <Choice name="active" value={active} title="state" yes="active" no="inactive" />
      <Choice name="session" value={session} title="session" yes="up" no="down" />
      <GatewayChoice chosen={gateway ?? ''} />
      {isFiltered(query) && (
        <Button kind="quiet" onClick={clear}>
          {simText('showAll')}
        </Button>
      )}
    </Filters>
  )
}

interface ChoiceProps {
  readonly name: 'active' | 'session'
  readonly value: string | undefined
  readonly title: 'state' | 'session'
  readonly yes: 'active' | 'up'
  readonly no: 'inactive' | 'down'
}

function Choice({ name, value, title, yes, no }: ChoiceProps) {
  return (
    <Select<YesNo | ''>
      label={simText(title)}
      value={isYesNo(value) ? value : ''}
      onChange={(next) => setQuery({ [name]: next })}
      options={[
        ['', simText('all')],
        ['yes', simText(yes)],
        ['no', simText(no)],
      ]}
    />
  )
}

function GatewayChoice({ chosen }: { chosen: string }) {
  const gateways = useQuery(
    async (signal) => (await cloud().orThrow.gatewayList({}, { signal })).Appliances,
    [],
  )
  const options = (gateways.data ?? []).map(({ ID = '', Name }) => [ID, Name || ID] as const)
  // One of another zone, or that is gone: the list is still of it.
  const isOther = chosen !== '' && !options.some(([id]) => id === chosen)
  return (
    <Select
      label={simText('gateway')}
      value={chosen}
      onChange={(gateway) => setQuery({ gateway })}
      options={[['', simText('all')], ...options, ...(isOther ? [[chosen, chosen] as const] : [])]}
    />
  )
}
