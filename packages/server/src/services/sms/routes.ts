import type { Handlers } from '../../kernel/contract.ts'
import { randomDigits } from '../../kernel/random.ts'
import { selectFields } from '../../kernel/search-query.ts'
import type { Context } from '../context.ts'
import type { smsContract } from './contract.ts'
import { getSms } from './kind.ts'
import { OTP_DIGITS } from './rules.ts'
import { type Sending, send } from './send.ts'
import { SmsStore } from './store.ts'
import { draftFromWire, logToWire, sentToWire } from './wire.ts'

/** `retryCountTwin`: a second name of the retry count in logs (kernel/words.ts). */
export function smsHandlers(
  sending: Sending,
  retryCountTwin: string | undefined,
): Handlers<typeof smsContract, Context> {
  const { content, random } = sending
  return {
    async smsSendGenerated({ params, body }, context) {
      const draft = draftFromWire(body.ESME, randomDigits(random, OTP_DIGITS))
      return sentToWire(await send(sending, params.sms_id, draft, context), draft)
    },

    async smsSendGiven({ params, body }, context) {
      const draft = draftFromWire(body.ESME, body.ESME.otp)
      return sentToWire(await send(sending, params.sms_id, draft, context), draft)
    },

    async smsLogList({ params, query }, context) {
      const item = await getSms(params.sms_id, context)
      const { tx, caller } = context
      const messages = await new SmsStore(tx, caller.accountId).list(item.id, query)
      const logs = messages.map((message) => {
        const entry = logToWire(message, content.open(message), retryCountTwin)
        return selectFields(entry, query.include, query.exclude)
      })
      return { ESME: { logs, Count: logs.length } }
    },
  }
}
