import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { SiteFields } from './site-fields.tsx'
import { changeOf, EMPTY, firstOf, problemsOf, type SiteForm } from './site-form.ts'
import { siteText } from './texts.ts'

export interface SiteDialogProps {
  readonly onClose: () => void
  readonly onDone: (id: string) => void
}

export function SiteDialog({ onClose, onDone }: SiteDialogProps) {
  const [form, setForm] = useState<SiteForm>(EMPTY)
  const change = (changes: Partial<SiteForm>) => setForm((old) => ({ ...old, ...changes }))
  const problems = problemsOf(form, undefined)
  const create = useAction(async () => {
    const { Site } = await cloud().orThrow.siteCreate({
      body: {
        Site: {
          ...changeOf(form),
          Name: form.name.trim(),
          OriginType: form.originType,
          DomainType: form.domainType,
          ...(form.domainType === 'own_domain' && { Domain: form.domain.trim() }),
        },
      },
    })
    onDone(Site.ID)
  }, siteText('created'))
  return (
    <Dialog
      title={siteText('createSite')}
      submit={siteText('create')}
      onSubmit={() => void create.run()}
      onClose={onClose}
      isBusy={create.isBusy}
      error={create.error}
      reason={firstOf(problems)}
      isWide
    >
      <div class="fields">
        <Select
          label={siteText('domainType')}
          value={form.domainType}
          onChange={(domainType) => change({ domainType })}
          options={[
            ['own_domain', siteText('own_domain')],
            ['subdomain', siteText('subdomain')],
          ]}
        />
        {form.domainType === 'own_domain' && (
          <Field
            label={siteText('domain')}
            value={form.domain}
            onInput={(domain) => change({ domain })}
            placeholder="www.example.jp"
            isRequired
          />
        )}
      </div>
      <SiteFields form={form} problems={problems} hasSecret={false} onChange={change} />
    </Dialog>
  )
}
