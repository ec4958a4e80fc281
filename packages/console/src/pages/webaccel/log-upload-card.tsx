/** Where the logs of a site go. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { levelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import {
  isSet,
  type LogForm,
  logChangeOf,
  logFormOf,
  logProblem,
  type Stored,
} from './log-upload.ts'
import type { SitePartProps } from './site-part.ts'
import { siteText } from './texts.ts'

export function LogUploadCard({ site, access }: SitePartProps) {
  const params = { site_id: site.ID }
  const stored = useQuery(
    async (signal) =>
      (await cloud().orThrow.logUploadRead({ params }, { signal })).SiteLogUploadConfig,
    [site.ID],
  )
  const denied = levelReason(access, 'arrange')
  return (
    <Card
      title={siteText('logUpload')}
      actions={stored.data !== undefined && <StateBadge stored={stored.data} />}
    >
      <p class="note">{siteText('logNote')}</p>
      <Loaded query={stored}>
        {(data) => (
          <LogUploadForm
            key={JSON.stringify(data)}
            {...{ siteId: site.ID, stored: data, denied, reload: stored.reload }}
          />
        )}
      </Loaded>
    </Card>
  )
}

function StateBadge({ stored }: { stored: Stored }) {
  const isOn = isSet(stored) && stored.Status === 'enabled'
  const text = isSet(stored) ? (isOn ? 'enabled' : 'disabled') : 'logOff'
  return (
    <span role="status">
      <Badge tone={isOn ? 'good' : 'calm'}>{siteText(text)}</Badge>
    </span>
  )
}

interface LogUploadFormProps {
  readonly siteId: string
  readonly stored: Stored
  readonly denied: string | undefined
  readonly reload: () => void
}

function LogUploadForm({ siteId, stored, denied, reload }: LogUploadFormProps) {
  const params = { site_id: siteId }
  const [form, setForm] = useState(() => logFormOf(stored))
  const change = (changes: Partial<LogForm>) => setForm((old) => ({ ...old, ...changes }))
  const save = useAction(async () => {
    const body = { SiteLogUploadConfig: logChangeOf(form) }
    await cloud().orThrow.logUploadSet({ params, body })
    change({ secret: '' })
    reload()
  }, siteText('logSaved'))
  const remove = useAction(async () => {
    await cloud().orThrow.logUploadDelete({ params })
    reload()
  }, siteText('logDeleted'))
  const reason = denied ?? logProblem(form, stored)
  const error = save.error ?? remove.error
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) void save.run()
      }}
    >
      <LogFields form={form} isSecretKept={isSet(stored)} onChange={change} />
      {error !== undefined && <ErrorBox error={error} />}
      <div class="row">
        <Button kind="primary" type="submit" isBusy={save.isBusy} reason={reason}>
          {siteText('logSave')}
        </Button>
        <Button
          kind="danger"
          isBusy={remove.isBusy}
          onClick={() => void remove.run()}
          reason={denied ?? (isSet(stored) ? undefined : siteText('logOff'))}
        >
          {siteText('logDelete')}
        </Button>
      </div>
    </form>
  )
}

interface LogFieldsProps {
  readonly form: LogForm
  readonly isSecretKept: boolean
  readonly onChange: (changes: Partial<LogForm>) => void
}

function LogFields({ form, isSecretKept, onChange }: LogFieldsProps) {
  const text = (key: 'bucket' | 'endpoint' | 'region' | 'accessKeyId', label: string) => (
    <Field
      label={label}
      value={form[key]}
      onInput={(value) => onChange({ [key]: value })}
      {...(key === 'endpoint' && { placeholder: 'https://s3.example.jp' })}
    />
  )
  return (
    <div class="fields">
      <Select
        label={siteText('status')}
        value={form.status}
        onChange={(status) => onChange({ status })}
        options={[
          ['enabled', siteText('enabled')],
          ['disabled', siteText('disabled')],
        ]}
      />
      {text('bucket', siteText('logBucket'))}
      {text('endpoint', siteText('logEndpoint'))}
      {text('region', siteText('logRegion'))}
      {text('accessKeyId', siteText('logAccessKey'))}
      <Field
        label={siteText('logSecret')}
        type="password"
        value={form.secret}
        onInput={(secret) => onChange({ secret })}
        {...(isSecretKept && { hint: siteText('secretKept') })}
      />
    </div>
  )
}
