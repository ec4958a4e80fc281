/** The carriers that there are, to choose from. A card of nobody who is signed in has none to offer. */
import { useEffect } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { cloud, hasKey, session } from '../../session.ts'
import { Field, Select } from '../../ui/field.tsx'
import { operatorText } from './texts.ts'

export interface CarrierFieldProps {
  readonly iccid: string
  readonly value: string
  readonly onChange: (name: string) => void
}

export function CarrierField({ iccid, value, onChange }: CarrierFieldProps) {
  const carriers = useQuery((signal) => carriersOf(iccid, signal), [iccid], {
    when: hasKey(session.value),
  })
  // Until they are known, the one that is chosen is all there is.
  const names = carriers.data ?? (carriers.isLoading ? [value] : [])
  const chosen = names.includes(value) ? value : names[0]
  useEffect(() => {
    if (chosen !== undefined && chosen !== value) onChange(chosen)
  }, [chosen, value])
  if (chosen === undefined) {
    return <Field label={operatorText('carrier')} value={value} onInput={onChange} />
  }
  return (
    <Select
      label={operatorText('carrier')}
      value={chosen}
      onChange={onChange}
      options={names.map((name) => [name, name] as const)}
    />
  )
}

/** All SIMs know the same carriers; another one answers for a card that is not registered. */
async function carriersOf(iccid: string, signal: AbortSignal): Promise<string[]> {
  const { itemList, simCarriersRead } = cloud().orThrow
  const find = async (more: Readonly<Record<string, string>>) => {
    const search = { Filter: { 'Provider.Class': 'sim', ...more }, Include: ['ID'], Count: 1 }
    return (await itemList({ search }, { signal })).CommonServiceItems[0]?.ID
  }
  const own = iccid.trim() === '' ? undefined : await find({ 'Status.ICCID': iccid.trim() })
  const sim_id = own ?? (await find({}))
  if (sim_id === undefined) return []
  const answer = await simCarriersRead({ params: { sim_id } }, { signal })
  return answer.network_operator_config.map(({ name }) => name)
}
