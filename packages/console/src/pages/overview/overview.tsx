/** What there is, how it is, and what needs attention. */
import { useQuery } from '../../data/query.ts'
import { formatNumber, formatTime } from '../../format.ts'
import { cloud, hasKey, hasOperator, operatorPath, session } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { findAttention } from './attention.ts'
import { RequestRate } from './request-rate.tsx'
import { overviewText } from './texts.ts'

export function Overview() {
  const now = session.value
  return (
    <Page title={overviewText('title')}>
      <div class="tiles">
        {hasKey(now) && <OwnCounts />}
        {hasOperator(now) && <OperatorCounts />}
      </div>
      <AttentionCard />
      {operatorPath() !== undefined && <ServerCard />}
    </Page>
  )
}

function OwnCounts() {
  const { zone } = session.value
  const itemCount = async (kind: string, signal: AbortSignal) => {
    const search = { Count: 1, Filter: { 'Provider.Class': kind } }
    return (await cloud().orThrow.itemList({ search }, { signal })).Total
  }
  const sims = useQuery((signal) => itemCount('sim', signal), [])
  const sms = useQuery((signal) => itemCount('esme', signal), [])
  const projects = useQuery((signal) => itemCount('iotplatform', signal), [])
  const gateways = useQuery(
    async (signal) =>
      (await cloud().orThrow.gatewayList({ search: { Count: 1 } }, { signal })).Total,
    [zone],
  )
  const sites = useQuery(
    async (signal) => (await cloud().orThrow.siteList({}, { signal })).Total,
    [],
  )
  return (
    <>
      <Tile name={overviewText('sims')} count={sims.data} href="#/sims" />
      <Tile name={overviewText('gateways', { zone })} count={gateways.data} href="#/gateways" />
      <Tile name={overviewText('projects')} count={projects.data} href="#/iot" />
      <Tile name={overviewText('sms')} count={sms.data} href="#/sms" />
      <Tile name={overviewText('sites')} count={sites.data} href="#/webaccel" />
    </>
  )
}

function OperatorCounts() {
  const sessions = useQuery(
    async (signal) =>
      (await cloud().orThrow.sessionList({ search: { Count: 1 } }, { signal })).Total,
    [],
    { everyMs: 5000 },
  )
  const faults = useQuery(
    async (signal) => (await cloud().orThrow.faultList({}, { signal })).faults.length,
    [],
    { everyMs: 5000 },
  )
  return (
    <>
      <Tile name={overviewText('sessions')} count={sessions.data} href="#/operator/devices" />
      <Tile name={overviewText('faults')} count={faults.data} href="#/operator/faults" />
    </>
  )
}

function Tile(props: { name: string; count: number | undefined; href: string }) {
  return (
    <a class="tile" href={props.href}>
      <strong>{props.count === undefined ? '–' : formatNumber(props.count)}</strong>
      <span>{props.name}</span>
    </a>
  )
}

function AttentionCard() {
  const attention = useQuery(findAttention, [], { everyMs: 15_000 })
  return (
    <Card title={overviewText('attention')}>
      <Loaded query={attention}>
        {({ concerns, unseen }) => (
          <>
            {concerns.length === 0 && <p>{overviewText('nothing')}</p>}
            <ul class="concerns">
              {concerns.map(({ key, text, href, tone }) => (
                <li key={key}>
                  <Badge tone={tone}>{tone === 'info' ? 'i' : '!'}</Badge> <a href={href}>{text}</a>
                </li>
              ))}
            </ul>
            {unseen.length > 0 && (
              <p class="note">{overviewText('notAll', { parts: unseen.join(', ') })}</p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function ServerCard() {
  const isOperator = hasOperator(session.value)
  const health = useQuery(async (signal) => (await cloud().healthReady({}, { signal })).ok, [], {
    everyMs: 5000,
  })
  const clock = useQuery((signal) => cloud().orThrow.clockRead({}, { signal }), [], {
    everyMs: 1000,
    when: isOperator,
  })
  return (
    <Card title={overviewText('server')}>
      <Facts
        rows={[
          [overviewText('health'), <HealthBadge key="health" isReady={health.data === true} />],
          ...(clock.data === undefined
            ? []
            : ([
                [
                  overviewText('clock'),
                  `${formatTime(clock.data.now)} (${modeText(clock.data.mode)})`,
                ],
              ] as const)),
        ]}
      />
      {isOperator && <RequestRate />}
    </Card>
  )
}

/** Modes of the clock have texts of their own names. */
function modeText(mode: string): string {
  const known = (['real', 'frozen', 'scaled'] as const).find((one) => one === mode)
  return known === undefined ? mode : overviewText(known)
}

function HealthBadge({ isReady }: { isReady: boolean }) {
  return (
    <Badge tone={isReady ? 'good' : 'warn'}>{overviewText(isReady ? 'ready' : 'notReady')}</Badge>
  )
}
