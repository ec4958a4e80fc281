import type { Handlers } from '../../kernel/contract.ts'
import { Conflict } from '../../kernel/errors.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { noticeContract } from './notice-contract.ts'
import { checkResend } from './notice-rules.ts'
import { NoticeStore } from './notice-store.ts'
import { noticeToWire } from './notice-wire.ts'
import { type Notifier, queueMail } from './notices.ts'

export function noticeHandlers(
  notifier: Notifier,
): Handlers<typeof noticeContract, OperatorContext> {
  return {
    noticeList: ({ query }, { database }) =>
      database.read(async (tx) => {
        const { total, notices } = await new NoticeStore(tx).list(query)
        const { from: From } = query
        return { From, Count: notices.length, Total: total, notices: notices.map(noticeToWire) }
      }),

    noticeResend: ({ params }, { database, now, concerns }) =>
      database.write(async (tx) => {
        const notice = await new NoticeStore(tx).get(Number(params.notice_id))
        const account = await new AccountStore(tx).get(notice.accountId)
        concerns(account.code)
        checkResend(notice, notifier.newMessageId !== undefined)
        if (account.contact === undefined) {
          throw new Conflict(
            `The account ${account.code} has no contact to send it to.`,
            `アカウント ${account.code} に連絡先がありません。`,
          )
        }
        return { notice: noticeToWire(await queueMail(tx, notice, account.contact, now, notifier)) }
      }),
  }
}
