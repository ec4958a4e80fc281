/** What all SIMs of the account send and receive: a day by five minutes, or 30 days by day. */
import { useMemo } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatDate } from '../../format.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { type ChartSpan, fillSteps } from '../../ui/chart-steps.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { uiText } from '../../ui/texts.ts'
import { formatBits } from '../sims/sim-traffic.tsx'
import { overviewText } from './texts.ts'

const SPANS = ['day', 'month'] as const
type SpanName = (typeof SPANS)[number]

/** What changes within a month changes slowly. */
const EVERY_MS = { day: 15_000, month: 60_000 } as const

export function FleetTraffic({ code, span: asked }: { code: string; span: string | undefined }) {
  const span: SpanName = asked === 'month' ? 'month' : 'day'
  const traffic = useQuery(
    (signal) =>
      cloud().orThrow.accountTrafficRead({ params: { code }, query: { span } }, { signal }),
    [code, span],
    { everyMs: EVERY_MS[span] },
  )
  return (
    <Card
      title={overviewText('traffic')}
      actions={
        <fieldset class="row bare" aria-label={overviewText('trafficSpan')}>
          {SPANS.map((one) => (
            <Button key={one} isPressed={one === span} onClick={() => setQuery({ span: one })}>
              {overviewText(one)}
            </Button>
          ))}
        </fieldset>
      }
    >
      <Loaded query={traffic}>
        {(answer) => <Drawn key={span} span={span} answer={answer} />}
      </Loaded>
    </Card>
  )
}

type Answer = Awaited<ReturnType<ReturnType<typeof cloud>['orThrow']['accountTrafficRead']>>

function Drawn({ span, answer }: { span: SpanName; answer: Answer }) {
  const drawn = useMemo(() => toSeries(answer, span === 'month'), [answer])
  const sums = {
    uplink: formatBytes(answer.steps.reduce((sum, step) => sum + step.uplink_bytes, 0)),
    downlink: formatBytes(answer.steps.reduce((sum, step) => sum + step.downlink_bytes, 0)),
  }
  return (
    <>
      <p>
        <a href="#/sims">{overviewText('trafficSum', sums)}</a>
      </p>
      {span === 'month' ? (
        <Chart
          label={overviewText('trafficMonth')}
          kind="bars"
          {...drawn}
          format={formatBytes}
          formatX={(seconds) => formatDate(seconds * 1000)}
        />
      ) : (
        <Chart label={overviewText('trafficDay')} {...drawn} format={formatBits} />
      )}
    </>
  )
}

/** Days as bytes in the middle of each, steps as bits a second. */
function toSeries(answer: Answer, isMonth: boolean) {
  const at = (time: string) => Date.parse(time) / 1000
  const { step_seconds: stepSeconds } = answer
  const span: ChartSpan = {
    ...{ from: at(answer.from), to: at(answer.to), stepSeconds },
    runningFrom: at(answer.running_since),
  }
  const value = (bytes: number) => (isMonth ? bytes : (bytes * 8) / stepSeconds)
  const rows = new Map(
    answer.steps.map(({ time, uplink_bytes, downlink_bytes }) => [
      at(time),
      [value(uplink_bytes), value(downlink_bytes)],
    ]),
  )
  const { times, values } = fillSteps(span, rows, 2)
  const names = [uiText('uplink'), uiText('downlink')]
  return {
    span,
    times: isMonth ? times.map((time) => time + stepSeconds / 2) : times,
    series: names.map((name, place) => ({ name, values: values[place] ?? [] })),
  }
}
