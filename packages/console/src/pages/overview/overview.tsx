/** Is all well, what does it cost, what happened: for the account and, for the operator, for the server. */
import { useState } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { formatNumber, formatTime } from '../../format.ts'
import { type Key, useKey } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { cloud, hasKey, hasOperator, operatorPath, session } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { findAttention } from './attention.ts'
import { Figures, Tile } from './figures.tsx'
import { FleetTraffic } from './fleet-traffic.tsx'
import { LastEvents } from './last-events.tsx'
import { RequestRate } from './request-rate.tsx'
import { overviewText } from './texts.ts'

export function Overview({ query }: PageInput) {
  const now = session.value
  const key = useKey()
  return (
    <Page title={overviewText('title')}>
      {hasKey(now) && (
        <Loaded query={key}>{(access) => <OfAccount access={access} span={query.span} />}</Loaded>
      )}
      {!hasKey(now) && <AttentionCard />}
      {operatorPath() !== undefined && <ServerCard />}
    </Page>
  )
}

function OfAccount({ access, span }: { access: Key; span: string | undefined }) {
  const isOperator = hasOperator(session.value)
  return (
    <>
      <Figures access={access} />
      {isOperator ? <FleetTraffic code={access.accountCode} span={span} /> : <NeedsOperator />}
      <div class="cards">
        <AttentionCard />
        {isOperator && <LastEvents code={access.accountCode} />}
      </div>
      <OwnCounts />
    </>
  )
}

function NeedsOperator() {
  return (
    <Card title={overviewText('traffic')}>
      <p class="note">{overviewText('trafficNeedsOperator')}</p>
      {operatorPath() !== undefined && (
        <p>
          <a href="#/sign-in">{overviewText('signInOperator')}</a>
        </p>
      )}
    </Card>
  )
}

/** What there is, of each kind. */
function OwnCounts() {
  const { zone } = session.value
  const itemCount = async (kind: string, signal: AbortSignal) => {
    const search = { Count: 1, Filter: { 'Provider.Class': kind } }
    return (await cloud().orThrow.itemList({ search }, { signal })).Total
  }
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
  const tiles = [
    [overviewText('gateways', { zone }), gateways.data, '#/gateways'],
    [overviewText('projects'), projects.data, '#/iot'],
    [overviewText('sms'), sms.data, '#/sms'],
    [overviewText('sites'), sites.data, '#/webaccel'],
  ] as const
  return (
    <section class="tiles" aria-label={overviewText('things')}>
      {tiles.map(([name, count, href]) => (
        <Tile
          key={href}
          name={name}
          value={count === undefined ? undefined : formatNumber(count)}
          href={href}
        />
      ))}
    </section>
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
  const faults = useQuery(
    async (signal) => (await cloud().orThrow.faultList({}, { signal })).faults.length,
    [],
    { everyMs: 5000, when: isOperator },
  )
  const clock = useQuery((signal) => cloud().orThrow.clockRead({}, { signal }), [], {
    everyMs: 1000,
    when: isOperator,
  })
  return (
    <Card title={overviewText('server')}>
      <Facts
        rows={[
          [overviewText('health'), <HealthBadge key="health" isReady={health.data === true} />],
          ...(faults.data === undefined
            ? []
            : ([
                [
                  overviewText('faults'),
                  <a key="faults" href="#/operator/faults">
                    {formatNumber(faults.data)}
                  </a>,
                ],
              ] as const)),
          ...(clock.data === undefined
            ? []
            : ([
                [
                  overviewText('clock'),
                  <a key="clock" href="#/operator/clock">
                    {formatTime(clock.data.now)} ({modeText(clock.data.mode)})
                  </a>,
                ],
              ] as const)),
        ]}
      />
      {isOperator && <Rate />}
    </Card>
  )
}

/** The counters of the server are large, so they are read only by who wants to see them. */
function Rate() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="numbers" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{overviewText('rate')}</summary>
      {isOpen && <RequestRate />}
    </details>
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
