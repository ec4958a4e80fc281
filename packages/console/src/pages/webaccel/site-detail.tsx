/** One site: what it delivers, its settings, certificate, access and cache. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { type Key, levelReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { navigate, setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AccessTab } from './access-tab.tsx'
import { siteAllowed } from './allowed.ts'
import { CacheTab } from './cache-tab.tsx'
import { CertificateTab } from './certificate-tab.tsx'
import { LiveTraffic } from './live-traffic.tsx'
import { NeedsCdn } from './needs-cdn.tsx'
import { SettingsTab } from './settings-tab.tsx'
import type { SitePartProps } from './site-part.ts'
import { StatusBadge } from './status-badge.tsx'
import { siteText } from './texts.ts'
import { UsageCharts } from './usage-charts.tsx'

export function SiteDetail({ params, query }: PageInput) {
  return <NeedsCdn>{(key) => <Asked id={params.id ?? ''} tab={query.tab} access={key} />}</NeedsCdn>
}

function Asked({ id, tab, access }: { id: string; tab: string | undefined; access: Key }) {
  const site = useQuery(
    async (signal) =>
      (await cloud().orThrow.siteRead({ params: { site_id: id } }, { signal })).Site,
    [id],
  )
  if (site.data === undefined) {
    return (
      <Page title={siteText('title')}>
        <Loaded query={site}>{() => null}</Loaded>
      </Page>
    )
  }
  return <Shown site={site.data} tab={tab} access={access} reload={site.reload} />
}

function Shown({ tab, ...given }: SitePartProps & { tab: string | undefined }) {
  const { site } = given
  return (
    <Page
      title={site.Name}
      note={
        <span class="row">
          <StatusBadge status={site.Status} /> {site.Domain}
        </span>
      }
      actions={<SiteActions {...given} />}
    >
      <Tabs
        label={siteText('parts')}
        current={tab}
        onChange={(next) => setQuery({ tab: next })}
        tabs={[
          ...[
            {
              key: 'usage',
              title: siteText('usage'),
              body: () => (
                <>
                  <LiveTraffic siteId={site.ID} />
                  <UsageCharts siteId={site.ID} />
                </>
              ),
            },
          ],
          { key: 'settings', title: siteText('settings'), body: () => <SettingsTab {...given} /> },
          {
            key: 'certificate',
            title: siteText('certificate'),
            body: () => <CertificateTab {...given} />,
          },
          { key: 'access', title: siteText('access'), body: () => <AccessTab {...given} /> },
          { key: 'cache', title: siteText('cache'), body: () => <CacheTab {...given} /> },
        ]}
      />
    </Page>
  )
}

function SiteActions({ site, access, reload }: SitePartProps) {
  const [isAsking, setAsking] = useState(false)
  const params = { site_id: site.ID }
  const setStatus = useAction(
    async (Status: 'enabled' | 'disabled') => {
      await cloud().orThrow.siteStatusSet({ params, body: { Site: { Status } } })
      reload()
    },
    (status) => siteText(status === 'enabled' ? 'siteEnabled' : 'siteDisabled'),
  )
  const remove = useAction(async () => {
    await cloud().orThrow.siteDelete({ params })
    navigate('/webaccel')
  }, siteText('deleted'))
  const denied = levelReason(access, 'arrange')
  return (
    <>
      {setStatus.error !== undefined && <ErrorBox error={setStatus.error} />}
      <Button
        isBusy={setStatus.isBusy}
        onClick={() => void setStatus.run('enabled')}
        reason={denied ?? siteAllowed('enable', site)}
      >
        {siteText('enable')}
      </Button>
      <Button
        isBusy={setStatus.isBusy}
        onClick={() => void setStatus.run('disabled')}
        reason={denied ?? siteAllowed('disable', site)}
      >
        {siteText('disable')}
      </Button>
      <Button kind="danger" onClick={() => setAsking(true)} reason={levelReason(access, 'create')}>
        {siteText('delete')}
      </Button>
      {isAsking && (
        <Confirm
          title={siteText('deleteTitle', { name: site.Name })}
          submit={siteText('delete')}
          action={remove}
          onClose={() => setAsking(false)}
        >
          {siteText('deleteNote')}
        </Confirm>
      )}
    </>
  )
}
