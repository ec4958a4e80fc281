import { defineAllowed } from '../../allowed.ts'
import type { Sms } from './messages.ts'

export const smsAllowed = defineAllowed<Sms, 'report'>({
  report: [
    [
      ({ outbox }) => outbox === undefined || outbox.transport === 'outbox',
      ['The network that carries it reports on it.', '配信を担う網が状態を報告します。'],
    ],
    [({ status }) => status === 'Accepted', ['It has ended already.', '既に確定しています。']],
  ],
})
