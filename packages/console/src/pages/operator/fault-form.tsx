/** Builds a fault of its parts, so that nobody has to know its JSON. */
import type { Input } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { operatorText } from './texts.ts'

type FaultBody = Input<'faultAdd'>['body']
type Kind = 'status' | 'latency' | 'reset' | 'truncate'

const STATUSES = [400, 401, 403, 404, 408, 409, 413, 429, 500, 503] as const

interface Form {
  readonly operation: string
  readonly kind: Kind
  readonly status: string
  readonly amount: string
  readonly phase: 'before' | 'after'
  readonly account: string
  readonly times: string
  readonly nth: string
  readonly probability: string
}

const EMPTY: Form = {
  ...{ operation: 'itemCreate', kind: 'status', status: '503', amount: '2000', phase: 'before' },
  ...{ account: '', times: '1', nth: '', probability: '' },
}

/** Those of the interface; the operator's own, which come last in the client, cannot fail. */
function operationNames(): string[] {
  const names = Object.keys(cloud().orThrow)
  return names.slice(0, names.indexOf('healthLive'))
}

function effectOf({ kind, status, amount }: Form): FaultBody['effect'] {
  if (kind === 'latency') return { latency_ms: Number(amount) }
  if (kind === 'truncate') return { truncate_bytes: Number(amount) }
  if (kind === 'reset') return { reset: true }
  return { status: STATUSES.find((one) => String(one) === status) ?? 503 }
}

function bodyOf(form: Form): FaultBody {
  const { operation, kind, phase, account, times, nth, probability } = form
  return {
    operation,
    effect: effectOf(form),
    ...(kind !== 'truncate' && { phase }),
    ...(account !== '' && { account }),
    ...(times !== '' && { times: Number(times) }),
    ...(nth !== '' && { nth: Number(nth) }),
    ...(probability !== '' && { probability: Number(probability) }),
  }
}

export function FaultForm({ onDone }: { onDone: () => void }) {
  const [form, setForm] = useState(EMPTY)
  const set = (changes: Partial<Form>) => setForm({ ...form, ...changes })
  const arm = useAction(async () => {
    await cloud().orThrow.faultAdd({ body: bodyOf(form) })
    onDone()
  }, operatorText('faultArmed'))
  return (
    <Card title={operatorText('newFault')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void arm.run()
        }}
      >
        <WhatFields form={form} set={set} />
        <WhenFields form={form} set={set} />
        {arm.error !== undefined && <ErrorBox error={arm.error} />}
        <Button kind="primary" type="submit" isBusy={arm.isBusy}>
          {operatorText('arm')}
        </Button>
      </form>
    </Card>
  )
}

interface PartProps {
  readonly form: Form
  readonly set: (changes: Partial<Form>) => void
}

function WhatFields({ form, set }: PartProps) {
  return (
    <div class="fields">
      <Select
        label={operatorText('operation')}
        value={form.operation}
        onChange={(operation) => set({ operation })}
        options={operationNames().map((name) => [name, name] as const)}
      />
      <Select<Kind>
        label={operatorText('effect')}
        value={form.kind}
        onChange={(kind) => set({ kind })}
        options={[
          ['status', operatorText('effectStatus')],
          ['latency', operatorText('effectLatency')],
          ['reset', operatorText('effectReset')],
          ['truncate', operatorText('effectTruncate')],
        ]}
      />
      {form.kind === 'status' && (
        <Select
          label={operatorText('status')}
          value={form.status}
          onChange={(status) => set({ status })}
          options={STATUSES.map((status) => [String(status), String(status)] as const)}
        />
      )}
      {(form.kind === 'latency' || form.kind === 'truncate') && (
        <Field
          label={operatorText(form.kind === 'latency' ? 'latencyMs' : 'truncateBytes')}
          type="number"
          value={form.amount}
          onInput={(amount) => set({ amount })}
        />
      )}
      <Select<Form['phase']>
        label={operatorText('phase')}
        value={form.phase}
        onChange={(phase) => set({ phase })}
        options={[
          ['before', operatorText('before')],
          ['after', operatorText('after')],
        ]}
      />
    </div>
  )
}

function WhenFields({ form, set }: PartProps) {
  const optional = operatorText('optional')
  return (
    <div class="fields">
      <Field
        label={operatorText('times')}
        hint={optional}
        type="number"
        value={form.times}
        onInput={(times) => set({ times })}
      />
      <Field
        label={operatorText('nth')}
        hint={optional}
        type="number"
        value={form.nth}
        onInput={(nth) => set({ nth })}
      />
      <Field
        label={operatorText('probability')}
        hint={optional}
        value={form.probability}
        onInput={(probability) => set({ probability })}
      />
      <Field
        label={operatorText('account')}
        hint={optional}
        value={form.account}
        onInput={(account) => set({ account })}
      />
    </div>
  )
}
