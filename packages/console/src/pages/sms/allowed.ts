import { defineAllowed } from '../../allowed.ts'
import type { Sms } from './messages.ts'

export const smsAllowed = defineAllowed<Sms, 'report'>({
  report: [
    [({ status }) => status === 'Accepted', ['It has ended already.', '既に確定しています。']],
  ],
})
