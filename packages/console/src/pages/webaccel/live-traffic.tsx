/** Hits and misses of a site: now, and by hour. */
import type { Reply } from '@kumoi/client'
import { useMemo, useRef } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatNumber } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Chart } from '../../ui/chart.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { deliveryText } from './delivery-texts.ts'
import { ratesOf, type Sample, withSample } from './traffic-rates.ts'

const EVERY_MS = 2000

export function LiveTraffic({ siteId }: { siteId: string }) {
  const samples = useRef<readonly Sample[]>([])
  const traffic = useQuery(
    async (signal) => {
      const params = { site_id: siteId }
      const { Traffic } = await cloud().orThrow.siteTrafficRead({ params }, { signal })
      const sums = sumOf(Traffic.Hours)
      const misses = sums.requests - sums.hits
      samples.current = withSample(samples.current, {
        ...{ at: performance.now(), hits: sums.hits, misses },
      })
      return { ...Traffic, sums, rates: ratesOf(samples.current) }
    },
    [siteId],
    { everyMs: EVERY_MS },
  )
  return (
    <Loaded query={traffic}>
      {({ Edges, Hours, sums, rates }) => (
        <>
          {Edges === 0 && <p class="note">{deliveryText('noEdge')}</p>}
          {(Edges > 0 || sums.requests > 0) && (
            <>
              <Figures edges={Edges} sums={sums} rates={rates} />
              <ByHour hours={Hours} />
            </>
          )}
        </>
      )}
    </Loaded>
  )
}

type Hours = Reply<'siteTrafficRead'>['Traffic']['Hours']

function sumOf(hours: Hours) {
  const total = (read: (hour: Hours[number]) => number) =>
    hours.reduce((sum, hour) => sum + read(hour), 0)
  return {
    requests: total(({ AccessCount }) => AccessCount),
    hits: total(({ HitCount }) => HitCount),
    bytes: total(({ BytesSent }) => BytesSent),
  }
}

interface FigureProps {
  readonly edges: number
  readonly sums: ReturnType<typeof sumOf>
  readonly rates: ReturnType<typeof ratesOf>
}

function Figures({ edges, sums, rates }: FigureProps) {
  const { requests, hits, bytes } = sums
  const rate = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value, 1))
  return (
    <section class="tiles figures" aria-label={deliveryText('live')}>
      <Figure
        name={deliveryText('hitsPerSecond')}
        value={rate(rates?.hits)}
        detail={deliveryText('edges', { edges })}
      />
      <Figure name={deliveryText('missesPerSecond')} value={rate(rates?.misses)} />
      <Figure
        name={deliveryText('hitRatioOfDay')}
        value={requests === 0 ? '–' : `${formatNumber((hits / requests) * 100, 1)} %`}
        detail={deliveryText('ofRequests', { requests: formatNumber(requests) })}
      />
      <Figure name={deliveryText('bytesOfDay')} value={formatBytes(bytes)} />
    </section>
  )
}

function Figure({ name, value, detail }: { name: string; value: string; detail?: string }) {
  return (
    <div class="tile">
      <span>{name}</span>
      <strong>{value}</strong>
      {detail !== undefined && <small>{detail}</small>}
    </div>
  )
}

function ByHour({ hours }: { hours: Hours }) {
  const drawn = useMemo(
    () => ({
      times: hours.map(({ Hour }) => Date.parse(Hour) / 1000),
      series: [
        { name: deliveryText('hits'), values: hours.map(({ HitCount }) => HitCount) },
        {
          name: deliveryText('misses'),
          values: hours.map(({ AccessCount, HitCount }) => AccessCount - HitCount),
        },
      ],
    }),
    [JSON.stringify(hours)],
  )
  return (
    <Card title={deliveryText('byHour')}>
      <Chart
        label={deliveryText('byHour')}
        kind="bars"
        {...drawn}
        format={(value) => formatNumber(value)}
      />
    </Card>
  )
}
