/** The operator announces a maintenance; times are Japan's, as everywhere in this group. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useKey } from '../../key.ts'
import { cloud, session } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { maintenanceText } from './texts.ts'

interface AnnounceDialogProps {
  /** The day of Japan that it is. */
  readonly today: string
  readonly onClose: () => void
  /** Given the month of its start. */
  readonly onDone: (month: string) => void
}

const NOBODY = ''
type Zone = 'is1a' | 'is1b' | 'is1c' | 'tk1a' | 'tk1b' | 'tk1v'

export function AnnounceDialog({ today, onClose, onDone }: AnnounceDialogProps) {
  const [title, setTitle] = useState('')
  const [zone, setZone] = useState(session.value.zone)
  const [start, setStart] = useState(`${nextDay(today)}T01:00`)
  const [end, setEnd] = useState(`${nextDay(today)}T05:00`)
  const [url, setUrl] = useState('')
  const [gateway, setGateway] = useState(NOBODY)
  const account = useKey().data?.accountCode
  const zones = useZones()
  const gateways = useGateways()
  const announce = useAction(
    async () => {
      await cloud().orThrow.announcementCreate({
        body: {
          ...{ title: title.trim(), start_at: wireTime(start), end_at: wireTime(end) },
          // Those that the server lists.
          zone: zone as Zone,
          ...(url.trim() !== '' && { info_url: url.trim() }),
          ...(gateway !== NOBODY &&
            account !== undefined && {
              affects: [{ account, resource_class: 'appliance' as const, resource_id: gateway }],
            }),
        },
      })
      onDone(start.slice(0, 7))
    },
    maintenanceText('announced', { title: title.trim() }),
  )
  return (
    <Dialog
      title={maintenanceText('announce')}
      submit={maintenanceText('announceIt')}
      isBusy={announce.isBusy}
      error={announce.error}
      reason={problemOf(title, start, end)}
      onSubmit={() => void announce.run()}
      onClose={onClose}
    >
      <Field label={maintenanceText('what')} value={title} onInput={setTitle} isRequired />
      <Select
        label={maintenanceText('zone')}
        value={zone}
        onChange={setZone}
        options={zones.map((name) => [name, name] as const)}
      />
      <Field
        label={maintenanceText('from')}
        type="datetime-local"
        hint={maintenanceText('japanTime')}
        value={start}
        onInput={setStart}
      />
      <Field label={maintenanceText('until')} type="datetime-local" value={end} onInput={setEnd} />
      <Field
        label={maintenanceText('address')}
        hint={maintenanceText('optional')}
        value={url}
        onInput={setUrl}
      />
      <Select
        label={maintenanceText('touches')}
        value={gateway}
        onChange={setGateway}
        options={[[NOBODY, maintenanceText('noResource')], ...gateways]}
      />
    </Dialog>
  )
}

function useZones(): readonly string[] {
  const zones = useQuery(
    async (signal) => (await cloud().orThrow.zoneList({}, { signal })).Zones,
    [],
  )
  return zones.data?.map(({ Name = '' }) => Name) ?? [session.value.zone]
}

/** As many as one can choose from. */
const SHOWN_MAX = 100

function useGateways(): readonly (readonly [string, string])[] {
  const gateways = useQuery(async (signal) => {
    const search = { Count: SHOWN_MAX }
    return (await cloud().orThrow.gatewayList({ search }, { signal })).Appliances
  }, [])
  return gateways.data?.map(({ ID = '', Name }) => [ID, Name || ID] as const) ?? []
}

function problemOf(title: string, start: string, end: string): string | undefined {
  if (title.trim() === '') return maintenanceText('needsTitle')
  return start !== '' && start < end ? undefined : maintenanceText('needsEnd')
}

/** The wire has a blank and seconds. */
function wireTime(local: string): string {
  return `${local.replace('T', ' ')}:00`.slice(0, 19)
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
