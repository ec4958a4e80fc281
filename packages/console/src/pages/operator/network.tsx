/** The elements of real mobile networks: who they are, what was heard of them, what they were asked. */
import type { Element } from '@kumoi/client'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { hrefOf } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { RequestTable } from './element-requests.tsx'
import { networkText } from './network-texts.ts'

const EVERY_MS = 3000
const PATH = '/operator/network'

export function NetworkPage({ query }: PageInput) {
  const elements = useQuery(
    async (signal) => (await cloud().orThrow.networkElementList({}, { signal })).network_elements,
    [],
    { everyMs: EVERY_MS },
  )
  const check = useQuery((signal) => cloud().orThrow.elementRequestCheck({}, { signal }), [])
  const { ok = true, detail = '', waiting = 0 } = check.data ?? {}
  return (
    <Page title={networkText('title')} note={networkText('note')}>
      <Loaded query={elements}>
        {(list) => (
          <>
            {!ok && list.length > 0 && (
              <p class="warning">{networkText('cannotSend', { detail, waiting })}</p>
            )}
            <ElementTable elements={list} />
          </>
        )}
      </Loaded>
      <Requests element={query.element ?? ''} />
    </Page>
  )
}

function ElementTable({ elements }: { elements: readonly Element<'networkElementList'>[] }) {
  return (
    <Table
      caption={networkText('title')}
      rows={elements}
      keyOf={({ name }) => name}
      empty={networkText('none')}
      columns={[
        {
          ...{ key: 'name', title: networkText('name') },
          cell: ({ name }) => <a href={hrefOf(PATH, { element: name })}>{name}</a>,
        },
        {
          ...{ key: 'address', title: networkText('address') },
          cell: ({ address, coa_port }) => (
            <>
              <code>{address}</code>
              <div class="note">CoA {coa_port}</div>
            </>
          ),
        },
        {
          ...{ key: 'carriers', title: networkText('carriers') },
          cell: ({ carriers }) => [...new Set(Object.values(carriers))].join(', ') || '–',
        },
        {
          ...{ key: 'seen', title: networkText('lastSeen') },
          cell: ({ last_seen }) =>
            last_seen === null ? networkText('never') : formatTime(last_seen),
        },
        {
          ...{ key: 'sessions', title: networkText('sessions'), align: 'end' },
          cell: ({ sessions }) => sessions,
        },
        {
          ...{ key: 'accepted', title: networkText('accepted'), align: 'end' },
          cell: ({ accepted }) => accepted,
        },
        {
          ...{ key: 'refused', title: networkText('refused'), align: 'end' },
          cell: ({ refused }) => refused,
        },
        {
          ...{ key: 'packets', title: networkText('packets'), align: 'end' },
          cell: ({ accounting_packets }) => accounting_packets,
        },
      ]}
    />
  )
}

function Requests({ element }: { element: string }) {
  const requests = useQuery(
    async (signal) => {
      const search = { Count: 100, ...(element !== '' && { Filter: { element } }) }
      return (await cloud().orThrow.elementRequestList({ search }, { signal })).requests
    },
    [element],
    { everyMs: EVERY_MS },
  )
  const title =
    element === '' ? networkText('allRequests') : networkText('requests', { name: element })
  return (
    <Card
      title={title}
      actions={element !== '' && <a href={hrefOf(PATH, {})}>{networkText('showAll')}</a>}
    >
      <Loaded query={requests}>
        {(list) => (
          <RequestTable
            caption={title}
            requests={list}
            about={{
              ...{ key: 'sim', title: networkText('sim') },
              cell: ({ imsi, ip, element: name }) => (
                <>
                  <code>{imsi}</code>
                  <div class="note">
                    {ip}
                    {element === '' && ` · ${name}`}
                  </div>
                </>
              ),
            }}
          />
        )}
      </Loaded>
    </Card>
  )
}
