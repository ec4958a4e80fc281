/** The quota of a month, what happens when it is passed, and who is told. */
import type { TrafficMonitoringConfig } from '@kumoi/client'
import { useLayoutEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import type { Query } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { gatewayText } from './texts.ts'
import { type Chat, chatOf, chatToWire } from './traffic-control.ts'

export interface ControlProps {
  readonly id: string
  readonly control: Query<TrafficMonitoringConfig | null>
}

interface QuotaForm {
  readonly quota: string
  readonly shapes: boolean
  readonly limit: string
  readonly mails: boolean
  readonly chat: Chat
}

function formOf(data: TrafficMonitoringConfig | null): QuotaForm {
  return {
    quota: String(data?.traffic_quota_in_mb ?? ''),
    shapes: data?.auto_traffic_shaping ?? false,
    limit: String(data?.bandwidth_limit_in_kbps ?? ''),
    mails: data?.email_config?.enabled ?? false,
    chat: chatOf(data),
  }
}

/** The form comes with what it begins with: what was typed before would be lost. */
export function ControlCard({ id, control }: ControlProps) {
  return (
    <Card title={gatewayText('quota')}>
      <Loaded query={control}>
        {(data) => <ControlForm id={id} data={data} onChange={control.reload} />}
      </Loaded>
    </Card>
  )
}

interface ControlFormProps {
  readonly id: string
  readonly data: TrafficMonitoringConfig | null
  readonly onChange: () => void
}

function ControlForm({ id, data, onChange }: ControlFormProps) {
  const params = { appliance_id: id }
  const denied = useLevelReason('arrange')
  const [form, setForm] = useState(() => formOf(data))
  useLayoutEffect(() => setForm(formOf(data)), [data])
  const save = useAction(async () => {
    const traffic_monitoring_config = {
      // What this form does not show stays as it is.
      ...data,
      traffic_quota_in_mb: Number(form.quota),
      auto_traffic_shaping: form.shapes,
      bandwidth_limit_in_kbps: form.limit === '' ? null : Number(form.limit),
      email_config: { enabled: form.mails },
      ...chatToWire(data, form.chat),
    }
    const body = { traffic_monitoring_config }
    await cloud().orThrow.gatewayTrafficControlUpdate({ params, body })
    onChange()
  }, gatewayText('controlSaved'))
  const remove = useAction(async () => {
    await cloud().orThrow.gatewayTrafficControlDelete({ params })
    onChange()
  }, gatewayText('controlEnded'))
  return (
    <>
      <QuotaFields form={form} onChange={(changes) => setForm({ ...form, ...changes })} />
      {[save.error, remove.error].map(
        (error, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />,
      )}
      <div class="row">
        <Button isBusy={save.isBusy} reason={denied} onClick={() => void save.run()}>
          {gatewayText('save')}
        </Button>
        <Button
          kind="quiet"
          isBusy={remove.isBusy}
          reason={denied ?? (data === null ? gatewayText('quotaNone') : undefined)}
          onClick={() => void remove.run()}
        >
          {gatewayText('removeQuota')}
        </Button>
      </div>
    </>
  )
}

interface QuotaFieldsProps {
  readonly form: QuotaForm
  readonly onChange: (changes: Partial<QuotaForm>) => void
}

function QuotaFields({ form, onChange }: QuotaFieldsProps) {
  const { quota, shapes, limit, mails, chat } = form
  return (
    <>
      <div class="fields">
        <Field
          label={gatewayText('quota')}
          type="number"
          value={quota}
          onInput={(next) => onChange({ quota: next })}
        />
        <Field
          label={gatewayText('bandwidth')}
          type="number"
          value={limit}
          onInput={(next) => onChange({ limit: next })}
        />
      </div>
      <Check
        label={gatewayText('autoShaping')}
        isChecked={shapes}
        onChange={(next) => onChange({ shapes: next })}
      />
      <Check
        label={gatewayText('email')}
        isChecked={mails}
        onChange={(next) => onChange({ mails: next })}
      />
      <Check
        label={gatewayText('chat')}
        isChecked={chat.enabled}
        onChange={(enabled) => onChange({ chat: { ...chat, enabled } })}
      />
      {chat.enabled && (
        <Field
          label={gatewayText('chatUrl')}
          hint={gatewayText('chatHint')}
          value={chat.url}
          onInput={(url) => onChange({ chat: { ...chat, url } })}
          placeholder="https://chat.example.jp/hook"
          isMono
        />
      )}
    </>
  )
}
