import { useQuery } from '../../data/query.ts'
import { formatNumber, formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts } from '../../ui/page.tsx'
import { StatusBadge } from './status-badge.tsx'
import { operatorText } from './texts.ts'

/** One request with its bodies, in which the server has hidden what is secret. */
export function RequestDialog({ serial, onClose }: { serial: string; onClose: () => void }) {
  const request = useQuery(
    async (signal) =>
      (await cloud().orThrow.requestRead({ params: { serial } }, { signal })).request,
    [serial],
  )
  return (
    <Dialog title={request.data?.operation ?? serial} onClose={onClose} isWide>
      <Loaded query={request}>
        {(data) => (
          <>
            <Facts
              rows={[
                [operatorText('status'), <StatusBadge key="status" status={data.status} />],
                [operatorText('time'), formatTime(data.time)],
                [operatorText('duration'), `${formatNumber(data.duration_ms, 1)} ms`],
                [operatorText('account'), data.account ?? '–'],
                [operatorText('serial'), <code key="serial">{data.serial}</code>],
                [operatorText('path'), <code key="path">{`${data.method} ${data.path}`}</code>],
                [operatorText('rowsChanged'), rowsText(data.rows_changed)],
                [operatorText('unread'), data.unread_fields.join(', ') || '–'],
              ]}
            />
            <h3>{operatorText('curl')}</h3>
            <CopyField label={operatorText('curl')} value={data.curl} />
            <Body title={operatorText('requestBody')} value={data.request_body} />
            <Body title={operatorText('answerBody')} value={data.answer_body} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

export function rowsText(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([table, count]) => `${table} ${count}`)
  return texts.length === 0 ? '–' : texts.join(', ')
}

function Body({ title, value }: { title: string; value: unknown }) {
  const text =
    value === null || value === undefined
      ? operatorText('noBody')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value, null, 2)
  return (
    <>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus. */}
      <pre tabIndex={0}>{text}</pre>
    </>
  )
}
