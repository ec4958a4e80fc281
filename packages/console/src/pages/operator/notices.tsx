/** Notices to owners of gateways, and whether mail is sent at all; what was given up can be sent from here. */
import type { Account, Notice } from '@kumoi/client'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { hrefOf, setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { noticeReason } from './allowed.ts'
import { noticeText } from './notice-texts.ts'

const STATUSES = ['', 'kept', 'waiting', 'sent', 'failed'] as const
const TONES = { kept: 'calm', waiting: 'info', sent: 'good', failed: 'bad' } as const
const EVERY_MS = 3000

export function Notices({ query }: PageInput) {
  const status = STATUSES.find((one) => one === query.status) ?? ''
  const mail = useQuery((signal) => cloud().orThrow.mailRead({}, { signal }), [])
  const accounts = useQuery(
    async (signal) => (await cloud().orThrow.accountList({}, { signal })).accounts,
    [],
  )
  const notices = useQuery(
    async (signal) => {
      const search = { Count: 100, ...(status !== '' && { Filter: { status } }) }
      return (await cloud().orThrow.noticeList({ search }, { signal })).notices
    },
    [status],
    { everyMs: EVERY_MS },
  )
  const resend = useAction(async (id: number) => {
    await cloud().orThrow.noticeResend({ params: { notice_id: String(id) } })
    notices.reload()
  }, noticeText('resent'))
  return (
    <Page title={noticeText('notices')} note={noticeText('note')}>
      <Loaded query={mail}>{(found) => <MailLine {...found} />}</Loaded>
      <div class="filters">
        <Select
          label={noticeText('status')}
          value={status}
          onChange={(next) => setQuery({ status: next })}
          options={STATUSES.map((one) => [one, noticeText(one || 'all')] as const)}
        />
      </div>
      {resend.error !== undefined && <ErrorBox error={resend.error} />}
      <Loaded query={notices}>
        {(list) => (
          <NoticeTable
            list={list}
            accounts={accounts.data ?? []}
            sendsMail={mail.data?.enabled === true}
            resend={(id) => void resend.run(id)}
          />
        )}
      </Loaded>
    </Page>
  )
}

function MailLine({
  enabled,
  server,
  from,
}: {
  enabled: boolean
  server: string | null
  from: string | null
}) {
  if (!enabled) return <p class="warning">{noticeText('mailOff')}</p>
  return <p class="note">{noticeText('mailOn', { server: server ?? '', from: from ?? '' })}</p>
}

interface NoticeTableProps {
  readonly list: readonly Notice[]
  readonly accounts: readonly Account[]
  readonly sendsMail: boolean
  readonly resend: (id: number) => void
}

function NoticeTable({ list, accounts, sendsMail, resend }: NoticeTableProps) {
  const accountOf = (id: string) => accounts.find((account) => account.id === id)
  return (
    <Table
      caption={noticeText('notices')}
      rows={list}
      keyOf={({ id }) => String(id)}
      empty={noticeText('none')}
      columns={[
        {
          ...{ key: 'notice', title: noticeText('notice') },
          cell: ({ text, created_at }) => (
            <>
              {text}
              <div class="note">{formatTime(created_at)}</div>
            </>
          ),
        },
        {
          ...{ key: 'to', title: noticeText('to') },
          cell: ({ channel, target, account_id }) => (
            <>
              {noticeText(channel)} {target !== null && <code>{target}</code>}
              <AccountLine account={accountOf(account_id)} />
            </>
          ),
        },
        {
          ...{ key: 'status', title: noticeText('status') },
          cell: ({ status, reason }) => (
            <>
              <Badge tone={TONES[status]}>{noticeText(status)}</Badge>
              {reason !== null && <div class="note">{reason}</div>}
            </>
          ),
        },
        {
          ...{ key: 'attempts', title: noticeText('attempts'), align: 'end' },
          cell: ({ attempts }) => attempts,
        },
        {
          ...{ key: 'actions', title: noticeText('actions') },
          cell: ({ id, channel, status, account_id }) => (
            <Button
              label={`${noticeText('resend')}: ${id}`}
              onClick={() => resend(id)}
              reason={noticeReason('resend', {
                ...{ channel, status, sendsMail },
                hasContact: accountOf(account_id)?.contact != null,
              })}
            >
              {noticeText('resend')}
            </Button>
          ),
        },
      ]}
    />
  )
}

function AccountLine({ account }: { account: Account | undefined }) {
  if (account === undefined) return null
  const href = hrefOf('/operator/accounts', { account: account.code })
  return (
    <div class="note">
      <a href={href}>{account.name || account.code}</a>
    </div>
  )
}
