/** Taking contents out of the caches: by address, or all of a site. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { ProbeCard } from './probe-card.tsx'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

const URLS_MAX = 100

interface Outcome {
  readonly URL: string
  readonly Status: number
  readonly Result: string
}

export function CacheTab(given: SitePartProps) {
  const { site, access } = given
  const [text, setText] = useState(`https://${site.Domain}/`)
  const [results, setResults] = useState<readonly Outcome[]>()
  const urls = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const denied = levelReason(access, 'arrange')
  const isFit = urls.length >= 1 && urls.length <= URLS_MAX
  const reason = denied ?? (isFit ? undefined : siteText('urlsWrong'))
  const purge = useAction(async () => {
    setResults((await cloud().orThrow.cacheDelete({ body: { URL: urls } })).Results)
  })
  return (
    <>
      <ProbeCard {...given} />
      <Card title={siteText('purge')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (reason === undefined) void purge.run()
          }}
        >
          <Field
            label={siteText('urls')}
            value={text}
            onInput={setText}
            rows={4}
            hint={siteText('urlsHint')}
            isMono
          />
          {purge.error !== undefined && <ErrorBox error={purge.error} />}
          <Button kind="primary" type="submit" isBusy={purge.isBusy} reason={reason}>
            {siteText('purge')}
          </Button>
        </form>
        {results !== undefined && <Results results={results} />}
      </Card>
      <PurgeAll domain={site.Domain} denied={denied} />
    </>
  )
}

function Results({ results }: { results: readonly Outcome[] }) {
  return (
    <Table
      caption={siteText('result')}
      rows={results.map((one, at) => ({ ...one, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { key: 'url', title: siteText('url'), cell: ({ URL }) => <code>{URL}</code> },
        {
          key: 'result',
          title: siteText('result'),
          cell: ({ Status, Result }) => (
            <Badge tone={Status < 300 ? 'good' : 'bad'}>{`${Status} ${Result}`}</Badge>
          ),
        },
      ]}
    />
  )
}

function PurgeAll({ domain, denied }: { domain: string; denied: string | undefined }) {
  const [isAsking, setAsking] = useState(false)
  const purge = useAction(
    () => cloud().orThrow.cacheDeleteAll({ body: { Site: { Domain: domain } } }),
    siteText('purged'),
  )
  return (
    <Card title={siteText('purgeAll')}>
      <div class="row">
        <Button kind="danger" onClick={() => setAsking(true)} reason={denied}>
          {siteText('purgeAll')}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={siteText('purgeAll')}
          submit={siteText('purgeAll')}
          action={purge}
          onClose={() => setAsking(false)}
        >
          {siteText('purgeAllNote', { domain })}
        </Confirm>
      )}
    </Card>
  )
}
