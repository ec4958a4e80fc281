import { useQuery } from '../../data/query.ts'
import { formatNumber } from '../../format.ts'
import { setQuery } from '../../router.ts'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { type ChartSpan, fillSteps, stepsUntil } from '../../ui/chart-steps.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { simText } from './texts.ts'

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
      const span = stepsUntil(await serverNow(signal), RANGES[range])
      // The interface answers with steps that are over.
      const at = (seconds: number) => new Date(seconds * 1000).toISOString()
      const query = { Start: at(span.from), End: at(span.runningFrom) }
      const { Data } = await cloud().orThrow.simMetrics(
        { params: { sim_id: id }, query },
        { signal },
      )
      return toSeries(span, Data)
    },
    [id, range],
    { everyMs: 60_000 },
  )
  return (
    <Card title={simText('traffic')} actions={<RangeChoice range={range} />}>
      <Loaded query={steps}>
        {(drawn) => <Chart label={simText('trafficLabel')} {...drawn} format={formatBits} />}
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

function toSeries(span: ChartSpan, data: Steps) {
  const rows = new Map(
    Object.entries(data).map(([time, { UplinkBps, DownlinkBps }]) => [
      Date.parse(time) / 1000,
      [UplinkBps, DownlinkBps],
    ]),
  )
  const { times, values } = fillSteps(span, rows, 2)
  const names = [simText('uplink'), simText('downlink')]
  return { span, times, series: names.map((name, at) => ({ name, values: values[at] ?? [] })) }
}

export function formatBits(value: number): string {
  if (value >= 1e6) return `${formatNumber(value / 1e6, 1)} Mbps`
  return value >= 1000 ? `${formatNumber(value / 1000, 1)} kbps` : `${formatNumber(value, 1)} bps`
}
