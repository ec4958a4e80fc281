/** The bills of the account: as bars by month, and as a list. */
import type { Bill } from '@kumoi/client'
import { useMemo } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { formatDate, formatYen } from '../../format.ts'
import type { Key } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Chart } from '../../ui/chart.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { barsOf, formatMonth, stateOf, TONES } from './bills.ts'
import { NeedsBill } from './needs-bill.tsx'
import { billingText } from './texts.ts'

export function BillList() {
  return <NeedsBill>{(key) => <Bills access={key} />}</NeedsBill>
}

function Bills({ access }: { access: Key }) {
  const bills = useQuery(
    (signal) => cloud().orThrow.billList({ params: { account_id: access.accountId } }, { signal }),
    [access.accountId],
  )
  return (
    <Page title={billingText('title')} note={billingText('note')}>
      <Loaded query={bills}>
        {({ Bills: list, ResponsedAt }) => (
          <>
            <Card title={billingText('byMonth')}>
              <BillChart bills={list} />
            </Card>
            <BillTable bills={list} now={ResponsedAt} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function BillChart({ bills }: { bills: readonly Bill[] }) {
  const { times, values } = useMemo(() => barsOf(bills), [bills])
  const series = useMemo(() => [{ name: billingText('amount'), values }], [values])
  return (
    <Chart
      label={billingText('byMonth')}
      kind="bars"
      times={times}
      series={series}
      format={formatYen}
      formatX={(seconds) => formatMonth(seconds * 1000)}
    />
  )
}

function BillTable({ bills, now }: { bills: readonly Bill[]; now: string }) {
  return (
    <Table
      caption={billingText('bills')}
      rows={bills}
      keyOf={({ BillID }) => String(BillID)}
      empty={
        <EmptyState icon="bill" title={billingText('noBills')} hint={billingText('noBillsHint')}>
          <a href="#/billing/prices">{billingText('prices')}</a>
        </EmptyState>
      }
      columns={[
        {
          key: 'month',
          title: billingText('month'),
          cell: ({ BillID, Date: month }) => (
            <a href={`#/billing/bills/${BillID}`}>{formatMonth(month)}</a>
          ),
        },
        {
          key: 'id',
          title: billingText('billId'),
          cell: ({ BillID }) => <code>{BillID}</code>,
        },
        {
          key: 'state',
          title: billingText('state'),
          cell: (bill) => {
            const state = stateOf(bill, now)
            return <Badge tone={TONES[state]}>{billingText(state)}</Badge>
          },
        },
        {
          key: 'limit',
          title: billingText('payLimit'),
          cell: ({ PayLimit }) => formatDate(PayLimit),
        },
        {
          key: 'amount',
          title: billingText('amount'),
          align: 'end',
          cell: ({ Amount }) => formatYen(Amount),
        },
      ]}
    />
  )
}
