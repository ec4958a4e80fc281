import { useMemo } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatNumber, formatYen } from '../../format.ts'
import { Chart } from '../../ui/chart.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { formatMonth } from '../billing/bills.ts'
import { siteText } from './texts.ts'
import { readUsage, type Sum, sumUsage } from './usage.ts'

const startOf = (month: string) => Date.parse(`${month}-01T00:00:00+09:00`) / 1000
const monthAt = (seconds: number) => formatMonth(seconds * 1000)

/** Of one site, or of all of them. */
export function UsageCharts({ siteId }: { siteId?: string }) {
  const usage = useQuery(readUsage, [])
  return (
    <Loaded query={usage}>
      {(months) => <Charts key={siteId} sums={sumUsage(months, siteId)} />}
    </Loaded>
  )
}

function Charts({ sums }: { sums: readonly Sum[] }) {
  const drawn = useMemo(
    () => ({
      times: sums.map(({ month }) => startOf(month)),
      bytes: [
        { name: siteText('delivered'), values: sums.map(({ bytes }) => bytes) },
        { name: siteText('missed'), values: sums.map(({ missed }) => missed) },
      ],
      requests: [{ name: siteText('requests'), values: sums.map(({ requests }) => requests) }],
    }),
    [JSON.stringify(sums)],
  )
  return (
    <>
      <div class="cards">
        <Card title={siteText('bytesByMonth')}>
          <Chart
            label={siteText('bytesByMonth')}
            times={drawn.times}
            series={drawn.bytes}
            format={formatBytes}
            formatX={monthAt}
          />
        </Card>
        <Card title={siteText('accessByMonth')}>
          <Chart
            label={siteText('accessByMonth')}
            kind="bars"
            times={drawn.times}
            series={drawn.requests}
            format={(value) => formatNumber(value)}
            formatX={monthAt}
          />
        </Card>
      </div>
      <UsageTable sums={sums} />
    </>
  )
}

function UsageTable({ sums }: { sums: readonly Sum[] }) {
  return (
    <Table
      caption={siteText('usage')}
      rows={sums.toReversed()}
      keyOf={({ month }) => month}
      columns={[
        { key: 'month', title: siteText('month'), cell: ({ month }) => monthAt(startOf(month)) },
        {
          ...{ key: 'requests', title: siteText('requests'), align: 'end' },
          cell: ({ requests }) => formatNumber(requests),
        },
        {
          ...{ key: 'bytes', title: siteText('delivered'), align: 'end' },
          cell: ({ bytes }) => formatBytes(bytes),
        },
        {
          ...{ key: 'hits', title: siteText('hitRatio'), align: 'end' },
          cell: ({ bytes, missed }) =>
            bytes === 0 ? '–' : `${formatNumber((1 - missed / bytes) * 100, 1)} %`,
        },
        {
          ...{ key: 'price', title: siteText('price'), align: 'end' },
          cell: ({ price }) => formatYen(price),
        },
      ]}
    />
  )
}
