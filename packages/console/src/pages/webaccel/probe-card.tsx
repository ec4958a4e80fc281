/** An address looked up: what each edge has stored of it, what it would do with a request, and why. */
import type { Reply } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { formatBytes, formatTime } from '../../format.ts'
import { levelReason } from '../../key.ts'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { deliveryText } from './delivery-texts.ts'
import type { SitePartProps } from './site-part.ts'

type Probe = Reply<'siteProbe'>['Probe']
type ProbedEdge = Probe['Edges'][number]
type StoredObject = ProbedEdge['Objects'][number]

interface Found extends Probe {
  readonly now: number
}

export function ProbeCard({ site, access }: SitePartProps) {
  const [url, setUrl] = useState(`https://${site.Domain}/`)
  const [encoding, setEncoding] = useState('')
  const [found, setFound] = useState<Found>()
  const hosts = [site.Domain, site.ASCIIDomain, site.Subdomain]
  const isOwn = hosts.includes(URL.parse(url)?.hostname ?? '')
  const reason = isOwn ? undefined : deliveryText('notSite', { domain: site.Domain })
  const ask = useAction(async () => {
    const Headers = encoding === '' ? [] : [{ Name: 'Accept-Encoding', Value: encoding }]
    const { Probe } = await cloud().orThrow.siteProbe({
      ...{ params: { site_id: site.ID }, body: { Probe: { URL: url, Headers } } },
    })
    setFound({ ...Probe, now: await serverNow() })
  })
  const remove = useAction(async () => {
    await cloud().orThrow.cacheDelete({ body: { URL: [found?.URL ?? url] } })
    await ask.run()
  }, deliveryText('removed'))
  return (
    <Card title={deliveryText('lookUp')}>
      <p class="note">{deliveryText('lookUpNote')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === undefined) void ask.run()
        }}
      >
        <Field label={deliveryText('url')} value={url} onInput={setUrl} isMono />
        <Field
          label={deliveryText('acceptEncoding')}
          value={encoding}
          onInput={setEncoding}
          isMono
        />
        {[ask, remove].map(
          ({ error }, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />,
        )}
        <div class="row">
          <Button kind="primary" type="submit" isBusy={ask.isBusy} reason={reason}>
            {deliveryText('ask')}
          </Button>
          {found !== undefined && (
            <Button
              isBusy={remove.isBusy}
              onClick={() => void remove.run()}
              reason={levelReason(access, 'arrange')}
            >
              {deliveryText('remove')}
            </Button>
          )}
        </div>
      </form>
      {found !== undefined && <Answers found={found} />}
    </Card>
  )
}

function Answers({ found }: { found: Found }) {
  if (found.Edges.length === 0) return <p class="note">{deliveryText('noEdge')}</p>
  return (
    <div class="stack">
      {found.Edges.map((edge) => (
        <EdgeAnswer key={edge.ID} edge={edge} now={found.now} />
      ))}
    </div>
  )
}

const TONES: Readonly<Record<string, Tone>> = {
  ...{ hit: 'good', stale: 'warn', revalidate: 'info', miss: 'info', pass: 'calm' },
  ...{ redirect: 'calm', preflight: 'calm', refuse: 'bad' },
}

type Action = 'hit' | 'stale' | 'revalidate' | 'miss' | 'pass' | 'redirect' | 'preflight' | 'refuse'

function EdgeAnswer({ edge, now }: { edge: ProbedEdge; now: number }) {
  const { Action, Status, Steps, Objects } = edge
  if (Action === null) {
    return (
      <section aria-label={edge.Name}>
        <h3>{edge.Name}</h3>
        <Badge tone="bad">{deliveryText('noAnswer')}</Badge>
      </section>
    )
  }
  return (
    <section aria-label={edge.Name} class="stack">
      <h3>{edge.Name}</h3>
      <p>
        <Badge tone={TONES[Action] ?? 'info'}>
          {/* The contract has it as a text; edges know these words. */}
          {deliveryText(Action as Action)}
          {Status !== null && ` · ${Status}`}
        </Badge>
      </p>
      <StoredObjects objects={Objects} now={now} />
      <Facts rows={Steps.map(({ Name, Result }) => [Name, Result])} />
    </section>
  )
}

function StoredObjects({ objects, now }: { objects: readonly StoredObject[]; now: number }) {
  return (
    <Table
      caption={deliveryText('stored')}
      rows={objects}
      keyOf={({ Variant, Status }) => JSON.stringify([Variant, Status])}
      empty={deliveryText('nothingStored')}
      columns={[
        {
          ...{ key: 'variant', title: deliveryText('variant') },
          cell: ({ Variant }) => variantText(Variant),
        },
        { key: 'status', title: deliveryText('status'), cell: ({ Status }) => Status },
        {
          ...{ key: 'stored', title: deliveryText('storedAt') },
          cell: ({ StoredAt }) => formatTime(StoredAt),
        },
        {
          ...{ key: 'fresh', title: deliveryText('freshUntil') },
          cell: ({ FreshUntil }) => (
            <>
              {formatTime(FreshUntil)}{' '}
              {Date.parse(FreshUntil) <= now && (
                <Badge tone="warn">{deliveryText('isStale')}</Badge>
              )}
            </>
          ),
        },
        {
          ...{ key: 'bytes', title: deliveryText('bytes'), align: 'end' },
          cell: ({ Bytes }) => formatBytes(Bytes),
        },
        {
          ...{ key: 'tier', title: deliveryText('tier') },
          cell: ({ Tier }) => deliveryText(Tier === 'disk' ? 'disk' : 'memory'),
        },
      ]}
    />
  )
}

function variantText(variant: Readonly<Record<string, string>>): string {
  const parts = Object.entries(variant).map(([name, value]) => `${name}: ${value || '–'}`)
  return parts.join(', ') || deliveryText('any')
}
