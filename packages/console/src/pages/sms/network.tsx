/** What a real network has made of a message: its reference and its reports. */
import type { Message } from '@kumoi/client'
import { formatTime } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { smsText } from './texts.ts'

const NAMES = { outbox: '', kannel: 'Kannel', http: 'HTTP' } as const

export function Network({ message }: { message: Message }) {
  const { transport, reference, uncertain, reports } = message
  return (
    <div class="sms-network">
      <p>
        {smsText('carriedBy', { transport: NAMES[transport] })}{' '}
        {uncertain && <Badge tone="warn">{smsText('uncertain')}</Badge>}
      </p>
      {uncertain && <p>{smsText('uncertainNote')}</p>}
      {!uncertain && reference === null && <p>{smsText('noReference')}</p>}
      {reference !== null && (
        <p>
          {smsText('reference')} <code>{reference}</code>
        </p>
      )}
      {reports.length > 0 && (
        <ol aria-label={smsText('reports')}>
          {reports.map(({ id, status, at, receivedAt }) => (
            <li key={`${id} ${receivedAt}`}>
              {formatTime(at)} {smsText(status)} <code>{id}</code>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
