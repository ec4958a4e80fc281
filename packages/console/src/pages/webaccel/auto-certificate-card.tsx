/** Certificates that come and are renewed by themselves. */
import { useEffect } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Card } from '../../ui/page.tsx'
import { autoStateOf, siteAllowed } from './allowed.ts'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

const LOOK_MS = 1000
const TONES = { off: 'calm', ordered: 'info', on: 'good' } as const

export function AutoCertificateCard({ site, access, reload }: SitePartProps) {
  const params = { site_id: site.ID }
  const state = autoStateOf(site)
  useEffect(() => {
    if (state !== 'ordered') return
    const timer = setInterval(reload, LOOK_MS)
    return () => clearInterval(timer)
  }, [state])
  const enable = useAction(async () => {
    await cloud().orThrow.autoCertificateEnable({ params, body: { Type: 'letsencrypt' } })
    reload()
  }, siteText('autoEnabled'))
  const disable = useAction(async () => {
    await cloud().orThrow.autoCertificateDisable({ params })
    reload()
  }, siteText('autoDisabled'))
  const denied = levelReason(access, 'create')
  const error = enable.error ?? disable.error
  return (
    <Card
      title={siteText('auto')}
      actions={
        <span role="status">
          <Badge tone={TONES[state]}>{siteText(`auto_${state}`)}</Badge>
        </span>
      }
    >
      <p class="note">{siteText('autoNote')}</p>
      {error !== undefined && <ErrorBox error={error} />}
      <div class="row">
        <Button
          isBusy={enable.isBusy}
          onClick={() => void enable.run()}
          reason={denied ?? siteAllowed('enableAuto', site)}
        >
          {siteText('autoEnable')}
        </Button>
        <Button
          isBusy={disable.isBusy}
          onClick={() => void disable.run()}
          reason={denied ?? siteAllowed('disableAuto', site)}
        >
          {siteText('autoDisable')}
        </Button>
      </div>
    </Card>
  )
}
