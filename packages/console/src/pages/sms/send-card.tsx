import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { showToast } from '../../data/toasts.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { type Draft, digitsOf, problemsOf } from './draft.ts'
import { smsText } from './texts.ts'

export interface SendCardProps {
  readonly serviceId: string
  readonly denied: string | undefined
  readonly onSent: () => void
}

export function SendCard({ serviceId, denied, onSent }: SendCardProps) {
  const [draft, setDraft] = useState<Draft>({
    ...{ destination: '', sender: '', domain: '', otp: '', way: 'generate' },
  })
  const change = (changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes }))
  const problems = problemsOf(draft)
  const reason = denied ?? problems.destination ?? problems.sender ?? problems.otp
  const sending = useAction(async () => {
    const { otp } = await send(serviceId, draft)
    showToast(smsText('sent', { otp }))
    setQuery({ to: digitsOf(draft.destination) })
    onSent()
  })
  return (
    <Card title={smsText('sendTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (reason === undefined) void sending.run()
        }}
      >
        <Field
          label={smsText('destination')}
          value={draft.destination}
          onInput={(destination) => change({ destination })}
          hint={smsText('destinationHint')}
          error={draft.destination === '' ? undefined : problems.destination}
          placeholder="+81 90 1234 5678"
          isMono
        />
        <Field
          label={smsText('sender')}
          value={draft.sender}
          onInput={(sender) => change({ sender })}
          hint={smsText('senderHint')}
          error={draft.sender === '' ? undefined : problems.sender}
        />
        <PasswordFields draft={draft} error={problems.otp} change={change} />
        <Field
          label={smsText('domain')}
          value={draft.domain}
          onInput={(domain) => change({ domain })}
          hint={smsText('domainHint')}
          placeholder="example.jp"
        />
        {sending.error !== undefined && <ErrorBox error={sending.error} />}
        <Button kind="primary" type="submit" isBusy={sending.isBusy} reason={reason}>
          {smsText('send')}
        </Button>
      </form>
    </Card>
  )
}

async function send(serviceId: string, { destination, sender, domain, otp, way }: Draft) {
  const params = { sms_id: serviceId }
  const shared = {
    ...{ destination: digitsOf(destination), sender: sender.trim() },
    ...(domain.trim() !== '' && { domain_name: domain.trim() }),
  }
  const { ESME } =
    way === 'generate'
      ? await cloud().orThrow.smsSendGenerated({
          ...{ params, body: { ESME: { ...shared, otpOperation: 'generate' } } },
        })
      : await cloud().orThrow.smsSendGiven({
          ...{ params, body: { ESME: { ...shared, otpOperation: 'input', otp: otp.trim() } } },
        })
  return ESME
}

interface PasswordFieldsProps {
  readonly draft: Draft
  readonly error: string | undefined
  readonly change: (changes: Partial<Draft>) => void
}

function PasswordFields({ draft, error, change }: PasswordFieldsProps) {
  return (
    <>
      <Select
        label={smsText('password')}
        value={draft.way}
        onChange={(way) => change({ way })}
        options={[
          ['generate', smsText('generate')],
          ['input', smsText('given')],
        ]}
      />
      {draft.way === 'input' && (
        <Field
          label={smsText('otp')}
          value={draft.otp}
          onInput={(otp) => change({ otp })}
          error={draft.otp === '' ? undefined : error}
          isMono
        />
      )}
    </>
  )
}
