/** What network elements were asked to do about sessions, and what they answered. */
import type { Element } from '@kumoi/client'
import { formatTime } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { causeText, networkText } from './network-texts.ts'

export type ElementRequest = Element<'elementRequestList'>

const TONES = {
  waiting: 'info',
  ack: 'good',
  nak: 'bad',
  no_answer: 'bad',
  replaced: 'calm',
} as const

export function RequestTable(props: {
  readonly caption: string
  readonly requests: readonly ElementRequest[]
  /** Besides the columns that say what was asked and answered. */
  readonly about: Column<ElementRequest>
}) {
  return (
    <Table
      caption={props.caption}
      rows={props.requests}
      keyOf={({ id }) => String(id)}
      empty={networkText('noRequests')}
      columns={[
        {
          ...{ key: 'time', title: networkText('time') },
          cell: ({ created_at }) => formatTime(created_at),
        },
        props.about,
        {
          ...{ key: 'request', title: networkText('request') },
          cell: (request) => (
            <>
              {askedText(request)}
              <div class="note">{causeText(request.cause)}</div>
            </>
          ),
        },
        {
          ...{ key: 'answer', title: networkText('answer') },
          cell: (request) => <AnswerCell request={request} />,
        },
        {
          ...{ key: 'attempts', title: networkText('attempts'), align: 'end' },
          cell: ({ attempts }) => attempts,
        },
      ]}
    />
  )
}

function AnswerCell({ request }: { request: ElementRequest }) {
  const { state, error_cause, reason, answered_at } = request
  const detail = error_cause ?? reason
  return (
    <>
      <Badge tone={TONES[state]}>{networkText(state)}</Badge>
      {detail !== null && <div class="note">{detail}</div>}
      {answered_at !== null && <div class="note">{formatTime(answered_at)}</div>}
    </>
  )
}

function askedText({ kind, bits_per_second }: ElementRequest): string {
  if (kind === 'disconnect') return networkText('disconnect')
  return bits_per_second === null
    ? networkText('coaEnd')
    : networkText('coa', { rate: `${bits_per_second / 1000} kbps` })
}
