/** What has passed through a gateway this month, against its quota. */
import type { TrafficMonitoringConfig } from '@kumoi/client'
import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { type Query, useQuery } from '../../data/query.ts'
import { formatBytes } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { formatBits } from '../sims/sim-traffic.tsx'
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

type ControlProps = { readonly id: string; readonly control: Query<TrafficMonitoringConfig | null> }

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
              <Gauge used={used} quota={quota ?? undefined} />
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

function ControlCard({ id, control }: ControlProps) {
  const params = { appliance_id: id }
  const [quota, setQuota] = useState('')
  const [shapes, setShapes] = useState(false)
  const [limit, setLimit] = useState('')
  const [mails, setMails] = useState(false)
  const { data } = control
  useEffect(() => {
    setQuota(String(data?.traffic_quota_in_mb ?? ''))
    setShapes(data?.auto_traffic_shaping ?? false)
    setLimit(String(data?.bandwidth_limit_in_kbps ?? ''))
    setMails(data?.email_config?.enabled ?? false)
  }, [data])
  const save = useAction(async () => {
    const traffic_monitoring_config = {
      // What this form does not show stays as it is.
      ...data,
      traffic_quota_in_mb: Number(quota),
      auto_traffic_shaping: shapes,
      bandwidth_limit_in_kbps: limit === '' ? null : Number(limit),
      email_config: { enabled: mails },
    }
    await cloud().orThrow.gatewayTrafficControlUpdate({
      params,
      body: { traffic_monitoring_config },
    })
    control.reload()
  }, gatewayText('done'))
  const remove = useAction(async () => {
    await cloud().orThrow.gatewayTrafficControlDelete({ params })
    control.reload()
  }, gatewayText('done'))
  return (
    <Card title={gatewayText('quota')}>
      <div class="fields">
        <Field label={gatewayText('quota')} type="number" value={quota} onInput={setQuota} />
        <Field label={gatewayText('bandwidth')} type="number" value={limit} onInput={setLimit} />
      </div>
      <Check label={gatewayText('autoShaping')} isChecked={shapes} onChange={setShapes} />
      <Check label={gatewayText('email')} isChecked={mails} onChange={setMails} />
      {[control.error, save.error, remove.error].map(
        (error, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />,
      )}
      <div class="row">
        <Button isBusy={save.isBusy} onClick={() => void save.run()}>
          {gatewayText('save')}
        </Button>
        <Button
          kind="quiet"
          isBusy={remove.isBusy}
          reason={data === null ? gatewayText('quotaNone') : undefined}
          onClick={() => void remove.run()}
        >
          {gatewayText('removeQuota')}
        </Button>
      </div>
    </Card>
  )
}

function MonitorCard({ id }: { id: string }) {
  const monitor = useQuery(
    async (signal) => {
      const params = { appliance_id: id }
      const { Data } = await cloud().orThrow.gatewayMonitor({ params }, { signal })
      const rows = Object.entries(Data).sort(([a], [b]) => Date.parse(a) - Date.parse(b))
      return {
        times: rows.map(([time]) => Date.parse(time) / 1000),
        series: [
          { name: gatewayText('send'), values: rows.map(([, { Send }]) => Send) },
          { name: gatewayText('receive'), values: rows.map(([, { Receive }]) => Receive) },
        ],
      }
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
