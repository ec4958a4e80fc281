/** What outgoing webhooks were to receive, each with its attempts, and another try. */
import type { WebhookOutboxListLog as Attempt, Webhook } from '@kumoi/client'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { setQuery } from '../../router.ts'
import { cloud, hasOperator, session } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Table } from '../../ui/table.tsx'
import { itemText } from '../items/texts.ts'
import { webhookAllowed } from './allowed.ts'
import type { Project } from './project.ts'
import { iotText } from './texts.ts'

const STATUSES = ['', 'waiting', 'delivered', 'dead'] as const
const TONES = { waiting: 'info', delivered: 'good', dead: 'bad' } as const
const EVERY_MS = 3000

export interface WebhooksTabProps {
  readonly project: Project
  readonly query: Readonly<Record<string, string>>
}

export function WebhooksTab({ project, query }: WebhooksTabProps) {
  const status = STATUSES.find((one) => one === query.status) ?? ''
  const isOperator = hasOperator(session.value)
  const webhooks = useQuery(
    async (signal) => {
      const Filter = { project_id: project.id, ...(status !== '' && { status }) }
      const search = { Filter, Count: 100 }
      return (await cloud().orThrow.webhookOutboxList({ search }, { signal })).webhooks
    },
    [project.id, status],
    { everyMs: EVERY_MS, when: isOperator },
  )
  const redeliver = useAction(async (id: string) => {
    await cloud().orThrow.webhookOutboxRedeliver({ params: { webhook_id: id } })
    webhooks.reload()
  }, iotText('redelivered'))
  if (!isOperator) return <EmptyState title={iotText('webhooksNeedOperator')} />
  return (
    <>
      <div class="filters">
        <Select
          label={iotText('status')}
          value={status}
          onChange={(next) => setQuery({ status: next })}
          options={STATUSES.map((one) => [one, iotText(one === '' ? 'all' : one)] as const)}
        />
      </div>
      {redeliver.error !== undefined && <ErrorBox error={redeliver.error} />}
      <Loaded query={webhooks}>
        {(list) => (
          <WebhookTable list={list} project={project} redeliver={(id) => void redeliver.run(id)} />
        )}
      </Loaded>
    </>
  )
}

interface WebhookTableProps {
  readonly list: readonly Webhook[]
  readonly project: Project
  readonly redeliver: (id: string) => void
}

function WebhookTable({ list, project, redeliver }: WebhookTableProps) {
  const nameOf = (id: string) => project.adapters.find((one) => one.id === id)?.name || id
  return (
    <Table
      caption={iotText('webhooks')}
      rows={list}
      keyOf={({ id }) => id}
      empty={iotText('noWebhooks')}
      columns={[
        {
          key: 'message',
          title: iotText('message'),
          cell: ({ message_id, created_at }) => (
            <>
              <code>{message_id}</code>
              <div class="note">{formatTime(created_at)}</div>
            </>
          ),
        },
        { key: 'adapter', title: iotText('adapter'), cell: ({ service_id }) => nameOf(service_id) },
        {
          key: 'status',
          title: iotText('status'),
          cell: ({ status, reason, response_code }) => (
            <>
              <Badge tone={TONES[status]}>{iotText(status)}</Badge>
              <div class="note">{[response_code, reason].filter(Boolean).join(' ')}</div>
            </>
          ),
        },
        { key: 'attempts', title: iotText('attempts'), cell: (one) => <Attempts {...one} /> },
        {
          key: 'actions',
          title: itemText('actions'),
          cell: (one) => (
            <Button
              label={`${iotText('redeliver')}: ${one.message_id}`}
              onClick={() => redeliver(one.id)}
              reason={webhookAllowed('redeliver', one)}
            >
              {iotText('redeliver')}
            </Button>
          ),
        },
      ]}
    />
  )
}

function Attempts({ attempts, log }: Pick<Webhook, 'attempts' | 'log'>) {
  if (log.length === 0) return <>{attempts}</>
  return (
    <details class="attempts">
      <summary>{attempts}</summary>
      <ol>
        {log.map((one) => (
          <li key={one.attempt}>{lineOf(one)}</li>
        ))}
      </ol>
    </details>
  )
}

function lineOf({ attempt, time, outcome, response_code }: Attempt): string {
  return iotText('attemptLine', {
    ...{ attempt, time: formatTime(time) },
    outcome: iotText(`${outcome}Outcome`),
    code: response_code ?? '',
  })
}
