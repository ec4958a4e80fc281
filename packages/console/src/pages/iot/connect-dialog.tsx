/** Finds a SIM by its name and connects it to the project. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import type { Project } from './project.ts'
import { iotText } from './texts.ts'

/** There may be very many SIMs; those that are offered are the first that fit. */
const OFFERED = 50

export interface ConnectDialogProps {
  readonly project: Project
  readonly onClose: () => void
  readonly onDone: () => void
}

export function ConnectDialog({ project, onClose, onDone }: ConnectDialogProps) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState('')
  const found = useQuery(
    async (signal) => {
      const Filter = { 'Provider.Class': 'sim', ...(name.trim() !== '' && { Name: name.trim() }) }
      const search = { Filter, Sort: ['Name'], Count: OFFERED }
      const { CommonServiceItems } = await cloud().orThrow.itemList({ search }, { signal })
      const here = new Set(project.sims.map(({ sim_id }) => sim_id))
      return CommonServiceItems.filter(({ ID = '' }) => !here.has(ID))
    },
    [name, project.sims],
  )
  const id = found.data?.find(({ ID }) => ID === chosen)?.ID ?? found.data?.[0]?.ID ?? ''
  const connect = useAction(async () => {
    await cloud().orThrow.projectSimConnect({ params: { project_id: project.id, sim_id: id } })
    onDone()
  }, iotText('connected'))
  return (
    <Dialog
      title={iotText('connectSim')}
      submit={iotText('connect')}
      onSubmit={() => void connect.run()}
      onClose={onClose}
      isBusy={connect.isBusy}
      error={connect.error}
      reason={id === '' ? iotText('noSimFound') : undefined}
    >
      <Field label={iotText('findSim')} type="search" value={name} onInput={setName} />
      <Loaded query={found}>
        {(sims) =>
          sims.length === 0 ? (
            <p class="note">{iotText('noSimFound')}</p>
          ) : (
            <Select
              label={iotText('sim')}
              value={id}
              onChange={setChosen}
              options={sims.map(({ ID = '', Name = '' }) => [ID, `${Name} (${ID})`] as const)}
            />
          )
        }
      </Loaded>
    </Dialog>
  )
}
