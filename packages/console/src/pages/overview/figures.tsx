/** The figures at the top: each is one request, and leads to its page. */
import type { ComponentChildren } from 'preact'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatNumber, formatYen } from '../../format.ts'
import type { Key } from '../../key.ts'
import { serverNow } from '../../server-time.ts'
import { cloud, hasOperator, session } from '../../session.ts'
import { formatMonth, monthOf } from '../billing/bills.ts'
import { costOf } from './cost.ts'
import { overviewText } from './texts.ts'

const EVERY_MS = 15_000

export function Figures({ access }: { access: Key }) {
  return (
    <div class="tiles figures">
      <SessionTile />
      <CostTile access={access} />
      {hasOperator(session.value) && <SmsTile code={access.accountCode} />}
      <CacheTile access={access} />
    </div>
  )
}

export interface TileProps {
  readonly name: string
  readonly value: string | undefined
  readonly detail?: ComponentChildren
  readonly href: string
}

export function Tile({ name, value = '–', detail, href }: TileProps) {
  return (
    <a class="tile" href={href}>
      <span>{name}</span>
      <strong>{value}</strong>
      {detail !== undefined && <small>{detail}</small>}
    </a>
  )
}

async function countSims(filter: object, signal: AbortSignal): Promise<number> {
  const search = { Count: 1, Filter: { 'Provider.Class': 'sim', ...filter } }
  return (await cloud().orThrow.itemList({ search }, { signal })).Total
}

function SessionTile() {
  const live = useQuery((signal) => countSims({ 'Status.sim.session_status': 'UP' }, signal), [], {
    everyMs: EVERY_MS,
  })
  const all = useQuery((signal) => countSims({}, signal), [], { everyMs: EVERY_MS })
  const total = all.data && formatNumber(all.data)
  return (
    <Tile
      name={overviewText('liveSessions')}
      value={live.data === undefined ? undefined : formatNumber(live.data)}
      detail={overviewText('ofSims', { total: total ?? '–' })}
      href="#/sims?session=yes"
    />
  )
}

function CostTile({ access }: { access: Key }) {
  const may = access.external.includes('bill')
  const params = { account_id: access.accountId }
  const cost = useQuery(
    async (signal) => {
      const { Bills, ResponsedAt } = await cloud().orThrow.billList({ params }, { signal })
      return costOf(Bills, ResponsedAt)
    },
    [access.accountId],
    { everyMs: EVERY_MS, when: may },
  )
  const { month, amount, last = 0, forecast } = cost.data ?? {}
  const texts = { last: formatYen(last), forecast: formatYen(forecast ?? 0) }
  const known = forecast === undefined ? 'noForecast' : 'forecast'
  return (
    <Tile
      name={overviewText('cost', { month: month ? formatMonth(`${month}-01T00:00+09:00`) : '–' })}
      value={amount === undefined ? undefined : formatYen(amount)}
      detail={may ? cost.data && overviewText(known, texts) : overviewText('needsBill')}
      href="#/billing"
    />
  )
}

function SmsTile({ code }: { code: string }) {
  const sms = useQuery(
    (signal) => cloud().orThrow.accountSmsRead({ params: { code } }, { signal }),
    [code],
    { everyMs: EVERY_MS },
  )
  const { accepted = 0, delivered = 0, failed = 0, complete } = sms.data ?? {}
  const texts = { failed: formatNumber(failed), waiting: formatNumber(accepted) }
  const total = `${formatNumber(accepted + delivered + failed)}${complete === false ? '+' : ''}`
  return (
    <Tile
      name={overviewText('smsSent')}
      value={sms.data && total}
      detail={sms.data && overviewText('smsDetail', texts)}
      href="#/sms"
    />
  )
}

function CacheTile({ access }: { access: Key }) {
  const may = access.external.includes('cdn')
  // Not again and again: an account has 500 of these calls an hour.
  const usage = useQuery(
    async (signal) => {
      const month = monthOf(new Date(await serverNow(signal)).toISOString())
      const query = { target: month.replace('-', '') }
      const { MonthlyUsages } = await cloud().orThrow.monthlyUsageRead({ query }, { signal })
      const bytes = MonthlyUsages.reduce((sum, { BytesSent }) => sum + BytesSent, 0)
      const missed = MonthlyUsages.reduce((sum, one) => sum + one.CacheMissBytesSent, 0)
      return { bytes, ratio: bytes === 0 ? undefined : 1 - missed / bytes }
    },
    [],
    { when: may },
  )
  const { bytes = 0, ratio } = usage.data ?? {}
  const detail =
    ratio === undefined
      ? overviewText('nothingDelivered')
      : overviewText('hitDetail', { bytes: formatBytes(bytes) })
  return (
    <Tile
      name={overviewText('hitRatio')}
      value={ratio === undefined ? undefined : `${formatNumber(ratio * 100, 1)} %`}
      detail={may ? usage.data && detail : overviewText('needsCdn')}
      href="#/webaccel"
    />
  )
}
