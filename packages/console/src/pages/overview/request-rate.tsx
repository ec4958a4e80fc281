/** Requests a second in the last minute, from the counters of the server. */
import { useRef } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { formatNumber } from '../../format.ts'
import { cloud } from '../../session.ts'
import { overviewText } from './texts.ts'

const SAMPLES = 60
const EVERY_MS = 1000
const WIDTH = 600
const HEIGHT = 60

export function RequestRate() {
  const seen = useRef<{ total: number; at: number }>(undefined)
  const rates = useRef<number[]>([])
  const samples = useQuery(
    async (signal) => {
      const total = countRequests(await cloud().orThrow.metricsRead({}, { signal }))
      const at = performance.now()
      const before = seen.current
      seen.current = { total, at }
      if (before !== undefined) {
        const rate = Math.max(0, ((total - before.total) * 1000) / (at - before.at))
        rates.current = [...rates.current, rate].slice(-SAMPLES)
      }
      return rates.current
    },
    [],
    { everyMs: EVERY_MS },
  )
  const list = samples.data ?? []
  const now = formatNumber(list.at(-1) ?? 0, 1)
  const most = Math.max(1, ...list)
  const points = list.map((rate, at) => {
    const x = WIDTH - (list.length - 1 - at) * (WIDTH / (SAMPLES - 1))
    return `${x.toFixed(1)},${(HEIGHT - 2 - (rate / most) * (HEIGHT - 4)).toFixed(1)}`
  })
  const label = overviewText('rateLabel', { now, most: formatNumber(most, 1) })
  return (
    <figure class="spark">
      <figcaption>
        <strong>{now}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <polyline points={points.join(' ')} />
      </svg>
      <div class="timeline-ends note" aria-hidden="true">
        <span>{overviewText('rateSince')}</span>
        <span>{overviewText('rateMost', { most: formatNumber(most, 1) })}</span>
        <span>{overviewText('rateNow')}</span>
      </div>
    </figure>
  )
}

/** Those of the interface alone: the console's own questions to the operator API are no load of interest. */
export function countRequests(text: string): number {
  const names = Object.keys(cloud().orThrow)
  const wanted = new Set(names.slice(0, names.indexOf('healthLive')))
  let total = 0
  for (const line of text.split('\n')) {
    if (!line.startsWith('kumoi_request_duration_seconds_count{')) continue
    const [, name = '', count] = /^[^"]*operation="(\w+)"[^}]*\} (\d+)/.exec(line) ?? []
    if (wanted.has(name)) total += Number(count)
  }
  return total
}
