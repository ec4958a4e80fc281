import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { showToast } from '../../data/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { simNames } from '../sims/sim-names.ts'
import { typeName } from './adapters.ts'
import { Entries } from './entries.tsx'
import type { LiveSocket } from './live-socket.ts'
import { type Entry, FIRST_ENTRY, problemOf, toPayload } from './payload.ts'
import type { Project } from './project.ts'
import { sendByWebhook } from './send.ts'
import { iotText } from './texts.ts'

export function SendCard({ project, socket }: { project: Project; socket: LiveSocket }) {
  const [device, setDevice] = useState('')
  const [via, setVia] = useState('')
  const [entries, setEntries] = useState<readonly Entry[]>([FIRST_ENTRY])
  const ways = waysOf(project, socket)
  const way = ways.find(([id]) => id === via)?.[0] ?? ways[0]?.[0]
  const sim = project.sims.find(({ device_id }) => device_id === device) ?? project.sims[0]
  const names = useSimNames(project)
  const send = useAction(async () => {
    const body = JSON.stringify({ device_id: sim?.device_id, payload: toPayload(entries) })
    if (way === 'websocket') return socket.send(body)
    const adapter = project.adapters.find(({ id }) => id === way)
    if (adapter === undefined) return
    showToast(iotText('sent', { id: await sendByWebhook(adapter, body) }))
  })
  if (way === undefined || sim === undefined) {
    return (
      <Card title={iotText('sendTitle')}>
        <EmptyState title={iotText(sim === undefined ? 'noDevice' : 'noWay')} />
      </Card>
    )
  }
  const problem = problemOf(entries)
  return (
    <Card title={iotText('sendTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === undefined) void send.run()
        }}
      >
        <Select
          label={iotText('device')}
          value={sim.device_id}
          onChange={setDevice}
          options={project.sims.map(
            ({ device_id, sim_id }) =>
              [device_id, `${names?.get(sim_id) || sim_id} (${device_id})`] as const,
          )}
        />
        <Select label={iotText('via')} value={way} onChange={setVia} options={ways} />
        <Entries entries={entries} onChange={setEntries} />
        {send.error !== undefined && <ErrorBox error={send.error} />}
        <Button kind="primary" type="submit" isBusy={send.isBusy} reason={problem}>
          {iotText('send')}
        </Button>
      </form>
    </Card>
  )
}

/** The names of the project's SIMs by their ids. */
export function useSimNames({ sims }: Project) {
  const ids = sims.map(({ sim_id }) => sim_id)
  return useQuery((signal) => simNames(ids, signal), [ids]).data
}

/** The websocket is one while it is open. */
function waysOf({ adapters }: Project, { state }: LiveSocket) {
  const hooks = adapters.filter(({ type }) => type === 'incoming-webhook')
  return [
    ...(state === 'open' ? [['websocket', iotText('websocket')] as const] : []),
    ...hooks.map(({ id, name, type }) => [id, `${typeName(type)}: ${name || id}`] as const),
  ]
}
