/** The element of a real network that holds the session, and what passed between us lately. */
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { hrefOf } from '../../router.ts'
import { cloud, hasOperator, session } from '../../session.ts'
import { Card, Facts } from '../../ui/page.tsx'
import { RequestTable } from '../operator/element-requests.tsx'
import { networkText } from '../operator/network-texts.ts'

const EVERY_MS = 5000
const SHOWN = 5

/** Known to the operator only, and shown where there is something to show. */
export function SimElement({ id }: { id: string }) {
  const exchange = useQuery(
    async (signal) => {
      const own = { Filter: { resource_id: id } }
      const { sessions } = await cloud().orThrow.sessionList({ search: own }, { signal })
      const { requests } = await cloud().orThrow.elementRequestList(
        { search: { ...own, Count: SHOWN } },
        { signal },
      )
      return { live: sessions[0], requests }
    },
    [id],
    { everyMs: EVERY_MS, when: hasOperator(session.value) },
  )
  const { live, requests = [] } = exchange.data ?? {}
  if (live?.element === undefined && requests.length === 0) return null
  return (
    <Card title={networkText('element')}>
      {live?.element !== undefined && (
        <Facts
          rows={[
            [networkText('element'), <ElementLink key="element" name={live.element} />],
            [networkText('sessionId'), <code key="id">{live.acct_session_id || '–'}</code>],
            [networkText('heard'), formatTime(live.seen_at ?? null)],
          ]}
        />
      )}
      <RequestTable
        caption={networkText('allRequests')}
        requests={requests}
        about={{
          ...{ key: 'element', title: networkText('element') },
          cell: ({ element, acct_session_id }) => (
            <>
              <ElementLink name={element} />
              <div class="note mono">{acct_session_id}</div>
            </>
          ),
        }}
      />
    </Card>
  )
}

function ElementLink({ name }: { name: string }) {
  return <a href={hrefOf('/operator/network', { element: name })}>{name}</a>
}
