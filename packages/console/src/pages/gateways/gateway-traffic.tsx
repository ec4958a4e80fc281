/** What has passed through a gateway this month, against its quota. */
import { useQuery } from '../../data/query.ts'
import { formatBytes } from '../../format.ts'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Chart } from '../../ui/chart.tsx'
import { fillSteps, stepsUntil } from '../../ui/chart-steps.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { formatBits } from '../sims/sim-traffic.tsx'
import { ControlCard, type ControlProps } from './quota-card.tsx'
import { gatewayText } from './texts.ts'
import { readControl } from './traffic-control.ts'

const MB = 1_000_000

export function GatewayTraffic({ id }: { id: string }) {
  const control = useQuery((signal) => readControl(id, signal), [id])
  return (
    <>
      <div class="cards">
        <GaugeCard id={id} control={control} />
        <ControlCard id={id} control={control} />
      </div>
      <MonitorCard id={id} />
    </>
  )
}

function GaugeCard({ id, control }: ControlProps) {
  const status = useQuery(
    async (signal) => {
      const params = { appliance_id: id }
      return (await cloud().orThrow.gatewayTrafficRead({ params }, { signal })).traffic_status
    },
    [id],
    { everyMs: 5000 },
  )
  const quota = control.data && control.data.traffic_quota_in_mb * MB
  return (
    <Card title={gatewayText('gauge')}>
      <Loaded query={status}>
        {({ uplink_bytes, downlink_bytes, traffic_shaping }) => {
          const used = Number(uplink_bytes) + Number(downlink_bytes)
          return (
            <>
              {quota !== undefined && <Gauge used={used} quota={quota ?? undefined} />}
              <p>
                ↑ {formatBytes(Number(uplink_bytes))} ↓ {formatBytes(Number(downlink_bytes))}
              </p>
              {traffic_shaping && <Badge tone="warn">{gatewayText('shaping')}</Badge>}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}

export function Gauge({ used, quota }: { used: number; quota: number | undefined }) {
  const texts = { used: formatBytes(used), quota: formatBytes(quota ?? 0) }
  if (quota === undefined) return <p>{gatewayText('noQuota', texts)}</p>
  const isPassed = used > quota
  return (
    <>
      <Progress
        label={gatewayText('gauge')}
        value={Math.min(used, quota)}
        max={quota}
        text={gatewayText('gaugeText', texts)}
        {...(isPassed && { tone: 'bad' })}
      />
      {isPassed && <Badge tone="bad">{gatewayText('passed')}</Badge>}
    </>
  )
}

function MonitorCard({ id }: { id: string }) {
  const monitor = useQuery(
    async (signal) => {
      const params = { appliance_id: id }
      const span = stepsUntil(await serverNow(signal), 24)
      const { Data } = await cloud().orThrow.gatewayMonitor({ params }, { signal })
      const rows = new Map(
        Object.entries(Data).map(([time, { Send, Receive }]) => [
          Date.parse(time) / 1000,
          [Send, Receive],
        ]),
      )
      const { times, values } = fillSteps(span, rows, 2)
      const names = [gatewayText('send'), gatewayText('receive')]
      return { span, times, series: names.map((name, at) => ({ name, values: values[at] ?? [] })) }
    },
    [id],
    { everyMs: 60_000 },
  )
  return (
    <Card title={gatewayText('monitor')}>
      <Loaded query={monitor}>
        {(data) => <Chart label={gatewayText('monitorLabel')} {...data} format={formatBits} />}
      </Loaded>
    </Card>
  )
}
