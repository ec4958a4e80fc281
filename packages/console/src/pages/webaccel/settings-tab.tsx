import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Card } from '../../ui/page.tsx'
import { LogUploadCard } from './log-upload-card.tsx'
import { SiteFields } from './site-fields.tsx'
import { changeOf, firstOf, formOf, problemsOf } from './site-form.ts'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

export function SettingsTab(props: SitePartProps) {
  return (
    <>
      <SettingsCard {...props} />
      <LogUploadCard {...props} />
    </>
  )
}

function SettingsCard({ site, access, reload }: SitePartProps) {
  const stored = formOf(site)
  const [form, setForm] = useState(stored)
  const problems = problemsOf(form, stored)
  const reason = levelReason(access, 'arrange') ?? firstOf(problems)
  const save = useAction(async () => {
    const { Site } = await cloud().orThrow.siteUpdate({
      params: { site_id: site.ID },
      body: { Site: changeOf(form) },
    })
    setForm(formOf(Site))
    reload()
  }, siteText('settingsSaved'))
  return (
    <Card title={siteText('settings')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === undefined) void save.run()
        }}
      >
        <SiteFields
          form={form}
          problems={problems}
          hasSecret={stored.originType === '1'}
          onChange={(changes) => setForm((old) => ({ ...old, ...changes }))}
        />
        {save.error !== undefined && <ErrorBox error={save.error} />}
        <Button kind="primary" type="submit" isBusy={save.isBusy} reason={reason}>
          {siteText('save')}
        </Button>
      </form>
    </Card>
  )
}
