/** The reader is the device: what is sent here reaches every adapter of the project. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { showToast } from '../../data/toasts.ts'
import { operatorReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { iccidOf } from '../sims/sim.ts'
import { Entries } from './entries.tsx'
import type { LiveSocket } from './live-socket.ts'
import { type Entry, FIRST_ENTRY, problemOf, toPayload } from './payload.ts'
import type { Project } from './project.ts'
import { useSimNames } from './send-card.tsx'
import { iotText } from './texts.ts'

interface DeviceCardProps {
  readonly project: Project
  readonly socket: LiveSocket
  readonly onSent: () => void
}

export function DeviceCard({ project, socket, onSent }: DeviceCardProps) {
  const [chosen, setChosen] = useState('')
  const [entries, setEntries] = useState<readonly Entry[]>([FIRST_ENTRY])
  const names = useSimNames(project)
  const sim = project.sims.find(({ sim_id }) => sim_id === chosen) ?? project.sims[0]
  const websocket = project.adapters.find(({ type }) => type === 'websocket')
  const send = useAction(async (id: string) => {
    // Who sends wants to see it come, so the reader listens from now on.
    if (socket.state === 'closed' && websocket !== undefined) await socket.open(websocket.url)
    const { CommonServiceItem } = await cloud().orThrow.itemRead({ params: { id } })
    const { message } = await cloud().orThrow.operatorMessageSend({
      ...{ params: { iccid: iccidOf(CommonServiceItem) }, body: { payload: toPayload(entries) } },
    })
    showToast(iotText('sent', { id: message.id }))
    onSent()
  })
  if (sim === undefined) {
    return (
      <Card title={iotText('asDevice')}>
        <EmptyState title={iotText('noDevice')} />
      </Card>
    )
  }
  const reason = operatorReason() ?? problemOf(entries)
  return (
    <Card title={iotText('asDevice')}>
      <p class="note">{iotText('asDeviceNote')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === undefined) void send.run(sim.sim_id)
        }}
      >
        <Select
          label={iotText('sim')}
          value={sim.sim_id}
          onChange={setChosen}
          options={project.sims.map(
            ({ sim_id }) => [sim_id, names?.get(sim_id) || sim_id] as const,
          )}
        />
        <Entries entries={entries} onChange={setEntries} />
        {send.error !== undefined && <ErrorBox error={send.error} />}
        <Button kind="primary" type="submit" isBusy={send.isBusy} reason={reason}>
          {iotText('sendAsDevice')}
        </Button>
      </form>
    </Card>
  )
}
