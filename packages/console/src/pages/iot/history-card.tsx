/** The messages that the project has kept, in both directions, and what became of them at its adapters. */
import type { Element } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { operatorReason } from '../../key.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { Project } from './project.ts'
import { useSimNames } from './send-card.tsx'
import { iotText } from './texts.ts'
import { Values } from './values.tsx'

type Entry = Element<'projectMessageList'>

const EVERY_MS = 3000
const TONES = { waiting: 'info', delivered: 'good', dead: 'bad' } as const

interface HistoryCardProps {
  readonly project: Project
  /** The device whose messages are shown; all without one. */
  readonly device: string | undefined
  /** Another number reads anew. */
  readonly round: number
}

export function HistoryCard({ project, device = '', round }: HistoryCardProps) {
  const reason = operatorReason()
  const names = useSimNames(project)
  const choices = project.sims.map(
    ({ device_id, sim_id }) => [device_id, names?.get(sim_id) || sim_id] as const,
  )
  return (
    <Card
      title={iotText('history')}
      actions={
        <Select
          label={iotText('ofDevice')}
          value={device}
          onChange={(next) => setQuery({ device: next })}
          options={[['', iotText('all')], ...choices]}
        />
      }
    >
      {reason === undefined ? (
        <Pages key={device} project={project} device={device} round={round} names={names} />
      ) : (
        <p class="note">{reason}</p>
      )}
    </Card>
  )
}

interface PagesProps extends Required<HistoryCardProps> {
  readonly device: string
  readonly names: ReadonlyMap<string, string> | undefined
}

function Pages({ project, device, round, names }: PagesProps) {
  const params = { project_id: project.id }
  const [older, setOlder] = useState<readonly Entry[]>([])
  const [next, setNext] = useState<string | null>()
  const newest = useQuery(
    (signal) =>
      cloud().orThrow.projectMessageList({ params, query: { device_id: device } }, { signal }),
    [project.id, device, round],
    { everyMs: EVERY_MS },
  )
  const from = next === undefined ? (newest.data?.next ?? null) : next
  const more = useAction(async (before: string) => {
    const query = { before, device_id: device }
    const page = await cloud().orThrow.projectMessageList({ params, query })
    setOlder((old) => [...old, ...page.messages])
    setNext(page.next)
  })
  return (
    <Loaded query={newest}>
      {({ messages }) => (
        <>
          <HistoryTable project={project} entries={joined(messages, older)} names={names} />
          {more.error !== undefined && <ErrorBox error={more.error} />}
          {from !== null && (
            <Button isBusy={more.isBusy} onClick={() => void more.run(from)}>
              {iotText('older')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}

/** What was newest may have become older since the older ones were read. */
function joined(newest: readonly Entry[], older: readonly Entry[]): Entry[] {
  return [...new Map([...newest, ...older].map((entry) => [entry.message.id, entry])).values()]
}

interface HistoryTableProps {
  readonly project: Project
  readonly entries: readonly Entry[]
  readonly names: ReadonlyMap<string, string> | undefined
}

function HistoryTable({ project, entries, names }: HistoryTableProps) {
  const simOf = (id: string) => project.sims.find(({ device_id }) => device_id === id)?.sim_id
  const adapterOf = (id: string) => project.adapters.find((one) => one.id === id)?.name || id
  return (
    <Table
      caption={iotText('history')}
      rows={entries}
      keyOf={({ message }) => message.id}
      empty={iotText('noMessages')}
      columns={[
        {
          ...{ key: 'time', title: iotText('time') },
          cell: ({ received_at }) => formatTime(received_at),
        },
        {
          ...{ key: 'direction', title: iotText('direction') },
          cell: ({ direction }) => iotText(direction),
        },
        {
          ...{ key: 'sim', title: iotText('sim') },
          cell: ({ message }) => {
            const sim = simOf(message.device_id)
            if (sim === undefined) return <code>{message.device_id}</code>
            return <a href={`#/sims/${sim}`}>{names?.get(sim) || sim}</a>
          },
        },
        {
          ...{ key: 'values', title: iotText('values') },
          cell: ({ message }) => <Values payload={message.payload} />,
        },
        {
          ...{ key: 'adapters', title: iotText('reached') },
          cell: ({ webhooks }) =>
            webhooks.length === 0
              ? '–'
              : webhooks.map(({ id, service_id, status }) => (
                  <div key={id}>
                    {adapterOf(service_id)} <Badge tone={TONES[status]}>{iotText(status)}</Badge>
                  </div>
                )),
        },
      ]}
    />
  )
}
