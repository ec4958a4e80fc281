/** The messages as the phones that got them would show them, newest last. */
import { useEffect, useRef } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import type { Query } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { operatorReason } from '../../key.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { smsAllowed } from './allowed.ts'
import { type Sms, splitText } from './messages.ts'
import { Network } from './network.tsx'
import { smsText } from './texts.ts'

export function Outbox({ messages, to }: { messages: Query<Sms[]>; to: string | undefined }) {
  return (
    <Card title={smsText('outbox')}>
      <Loaded query={messages}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="sms" title={smsText('noMessages')} hint={smsText('noMessagesHint')} />
          ) : (
            <Phones list={list} to={to} reload={messages.reload} />
          )
        }
      </Loaded>
    </Card>
  )
}

interface PhonesProps {
  readonly list: readonly Sms[]
  readonly to: string | undefined
  readonly reload: () => void
}

function Phones({ list, to, reload }: PhonesProps) {
  const numbers = [...new Set(list.map(({ destination }) => destination))]
  const number = numbers.find((one) => one === to) ?? numbers[0] ?? ''
  const shown = list.filter(({ destination }) => destination === number).toReversed()
  return (
    <div class="phones">
      <nav class="phone-list" aria-label={smsText('phones')}>
        {numbers.map((one) => (
          <Button
            key={one}
            kind="quiet"
            isPressed={one === number}
            onClick={() => setQuery({ to: one })}
          >
            {`+${one}`}
          </Button>
        ))}
      </nav>
      <Phone key={number} number={number} shown={shown} reload={reload} />
    </div>
  )
}

interface PhoneProps {
  readonly number: string
  readonly shown: readonly Sms[]
  readonly reload: () => void
}

function Phone({ number, shown, reload }: PhoneProps) {
  const screen = useRef<HTMLElement>(null)
  const count = shown.length
  // A new message is at the end, where a phone would be scrolled to.
  useEffect(() => screen.current?.scrollTo(0, screen.current.scrollHeight), [count])
  const report = useAction(
    async (how: 'deliver' | 'fail', message_id: string) => {
      const { smsOutboxDeliver, smsOutboxFail } = cloud().orThrow
      await (how === 'deliver' ? smsOutboxDeliver : smsOutboxFail)({ params: { message_id } })
      reload()
    },
    (how) => smsText(`did_${how}`),
  )
  const label = smsText('phone', { number: `+${number}` })
  return (
    <div class="stack">
      {report.error !== undefined && <ErrorBox error={report.error} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus. */}
      <section class="phone" aria-label={label} tabIndex={0} ref={screen}>
        {shown.map((sms) => (
          <Bubble key={sms.id} sms={sms} report={(how) => void report.run(how, sms.id)} />
        ))}
      </section>
    </div>
  )
}

const TONES = { Accepted: 'info', Delivered: 'good', Failed: 'bad' } as const
const statusOf = (text: string) =>
  text === 'Delivered' || text === 'Failed' ? text : ('Accepted' as const)

function Bubble({ sms, report }: { sms: Sms; report: (how: 'deliver' | 'fail') => void }) {
  const status = statusOf(sms.status)
  const reason = operatorReason() ?? smsAllowed('report', sms)
  return (
    <article class={status === 'Failed' ? 'sms failed' : 'sms'}>
      <p class="note">{formatTime(sms.sentAt)}</p>
      <div class="bubble">
        <Text sms={sms} />
      </div>
      <div class="row">
        <Badge tone={TONES[status]}>{smsText(status)}</Badge>
        {sms.outbox !== undefined && (
          <span class="note">
            {smsText('segments', { count: sms.outbox.segments, encoding: sms.outbox.encoding })}
          </span>
        )}
        {sms.retryCount > 0 && (
          <span class="note">{smsText('retries', { count: sms.retryCount })}</span>
        )}
        <Button kind="quiet" onClick={() => report('deliver')} reason={reason}>
          {smsText('deliver')}
        </Button>
        <Button kind="quiet" onClick={() => report('fail')} reason={reason}>
          {smsText('fail')}
        </Button>
      </div>
      {sms.outbox !== undefined && sms.outbox.transport !== 'outbox' && (
        <Network message={sms.outbox} />
      )}
    </article>
  )
}

function Text({ sms: { otp, outbox } }: { sms: Sms }) {
  if (otp === '') return <span class="note">{smsText('forgotten')}</span>
  if (outbox === undefined) {
    return (
      <>
        <span>{smsText('code', { otp })}</span>
        <span class="note">{smsText('textOnlyOperator')}</span>
      </>
    )
  }
  const { body, otpLine } = splitText(outbox.text)
  return (
    <>
      <span>{body}</span>
      {otpLine !== undefined && (
        <span class="otp-line">
          <mark>{otpLine}</mark> <Badge tone="warn">{smsText('webOtp')}</Badge>
        </span>
      )}
    </>
  )
}
