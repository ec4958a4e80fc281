/** Finds a SIM by its name and connects it to the project. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { SimPicker } from '../sims/sim-picker.tsx'
import { simText } from '../sims/texts.ts'
import type { Project } from './project.ts'
import { iotText } from './texts.ts'

export interface ConnectDialogProps {
  readonly project: Project
  readonly onClose: () => void
  readonly onDone: () => void
}

export function ConnectDialog({ project, onClose, onDone }: ConnectDialogProps) {
  const [id, setId] = useState('')
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
      reason={id === '' ? simText('noSimFound') : undefined}
    >
      <SimPicker
        value={id}
        onChange={setId}
        isOffered={({ ID }) => !project.sims.some(({ sim_id }) => sim_id === ID)}
      />
    </Dialog>
  )
}
