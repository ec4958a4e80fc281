/** Finds a SIM by its name. */
import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { cloud } from '../../session.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import type { SimItem } from './sim.ts'
import { simText } from './texts.ts'

/** There may be very many SIMs; those that are offered are the first that fit. */
const OFFERED = 50

export interface SimPickerProps {
  /** The id of the one that is chosen; empty while there is none. */
  readonly value: string
  readonly onChange: (id: string) => void
  /** What they have to be besides SIMs, as the search object says it. */
  readonly filter?: Readonly<Record<string, string>>
  readonly isOffered?: (sim: SimItem) => boolean
}

export function SimPicker({ value, onChange, filter = {}, isOffered }: SimPickerProps) {
  const [name, setName] = useState('')
  const found = useQuery(
    async (signal) => {
      const named = name.trim() === '' ? {} : { Name: name.trim() }
      const Filter = { 'Provider.Class': 'sim', ...filter, ...named }
      const search = { Filter, Sort: ['Name'], Count: OFFERED, Include: ['*', 'Status.sim'] }
      return (await cloud().orThrow.itemList({ search }, { signal })).CommonServiceItems
    },
    [name, filter],
  )
  const offered = found.data?.filter((sim) => isOffered?.(sim) ?? true)
  const first = offered?.find(({ ID }) => ID === value) ?? offered?.[0]
  const id = first?.ID ?? ''
  useEffect(() => {
    if (offered !== undefined && id !== value) onChange(id)
  }, [offered === undefined, id, value])
  return (
    <>
      <Field label={simText('findSim')} type="search" value={name} onInput={setName} />
      <Loaded query={found}>
        {() =>
          id === '' ? (
            <p class="note">{simText('noSimFound')}</p>
          ) : (
            <Select
              label={simText('sim')}
              value={id}
              onChange={onChange}
              options={(offered ?? []).map(
                ({ ID = '', Name }) => [ID, Name ? `${Name} (${ID})` : ID] as const,
              )}
            />
          )
        }
      </Loaded>
    </>
  )
}
