import { useQuery } from '../../data/query.ts'
import { formatNumber } from '../../format.ts'
import { setQuery } from '../../router.ts'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { simText } from './texts.ts'

const HOUR_MS = 3_600_000
const RANGES = { '6h': 6, '24h': 24, '7d': 168, '31d': 744 } as const
type Range = keyof typeof RANGES

const TITLES = {
  '6h': 'rangeHours',
  '24h': 'rangeDay',
  '7d': 'rangeWeek',
  '31d': 'rangeMonth',
} as const

const isRange = (text: string | undefined): text is Range => text !== undefined && text in RANGES

export function SimTraffic({ id, range: asked }: { id: string; range: string | undefined }) {
  const range: Range = isRange(asked) ? asked : '24h'
  const steps = useQuery(
    async (signal) => {
      const now = await serverNow(signal)
      const Start = new Date(now - RANGES[range] * HOUR_MS).toISOString()
      const query = { Start, End: new Date(now).toISOString() }
      const { Data } = await cloud().orThrow.simMetrics(
        { params: { sim_id: id }, query },
        { signal },
      )
      return toSeries(Data)
    },
    [id, range],
    { everyMs: 60_000 },
  )
  return (
    <Card title={simText('traffic')} actions={<RangeChoice range={range} />}>
      <Loaded query={steps}>
        {({ times, series }) => (
          <Chart
            label={simText('trafficLabel')}
            times={times}
            series={series}
            format={formatBits}
          />
        )}
      </Loaded>
    </Card>
  )
}

function RangeChoice({ range }: { range: Range }) {
  return (
    <fieldset class="row bare" aria-label={simText('range')}>
      {(Object.keys(RANGES) as Range[]).map((one) => (
        <Button key={one} isPressed={one === range} onClick={() => setQuery({ range: one })}>
          {simText(TITLES[one])}
        </Button>
      ))}
    </fieldset>
  )
}

type Steps = Readonly<Record<string, { UplinkBps: number; DownlinkBps: number }>>

function toSeries(data: Steps) {
  const rows = Object.entries(data)
    .map(([time, step]) => ({ time: Date.parse(time) / 1000, ...step }))
    .sort((a, b) => a.time - b.time)
  return {
    times: rows.map(({ time }) => time),
    series: [
      { name: simText('uplink'), values: rows.map(({ UplinkBps }) => UplinkBps) },
      { name: simText('downlink'), values: rows.map(({ DownlinkBps }) => DownlinkBps) },
    ],
  }
}

export function formatBits(value: number): string {
  if (value >= 1e6) return `${formatNumber(value / 1e6, 1)} Mbps`
  return value >= 1000 ? `${formatNumber(value / 1000, 1)} kbps` : `${formatNumber(value, 1)} bps`
}
