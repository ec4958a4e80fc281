/** The part of the scenario with short messages. */
import { signWebhook } from '../../packages/server/src/services/iot/public.ts'
import { type MessageId, ReportTokens } from '../../packages/server/src/services/sms/public.ts'
import { ENCRYPTION_KEYS } from '../../packages/server/src/testing/cloud.ts'
import { type Pool, type Step, step } from './step.ts'
import { SMS_SECRET } from './target.ts'

const item = { body: { CommonServiceItem: { Name: 'a', Provider: { Class: 'esme' } } } }
const oneItem = (pool: Pool) => ({ params: { id: pool.get('sms') } })
const tokens = new ReportTokens(ENCRYPTION_KEYS)

/** As a gateway signs a report, by the clock of the server. */
function signed(text: string, now: string) {
  const seconds = Math.floor(Date.parse(now) / 1000) || 0
  return {
    'webhook-id': 'a',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signWebhook(SMS_SECRET, 'a', seconds, Buffer.from(text)),
  }
}

export const smsSteps: readonly Step[] = [
  step('itemCreate', item, { sms: 'CommonServiceItem.ID' }),
  step('itemRead', oneItem),
  step('itemUpdate', (pool) => ({
    ...oneItem(pool),
    body: { CommonServiceItem: { Name: 'b', Description: 'c', Tags: ['d'], Icon: { ID: '1' } } },
  })),
  ...['smsSendGenerated', 'smsSendGiven'].map((name) =>
    step(
      name,
      (pool) => ({
        params: { sms_id: pool.get('sms') },
        body: {
          ESME: {
            destination: '819012345678',
            sender: 'a',
            ...(name === 'smsSendGiven'
              ? { otp: '123456', otpOperation: 'input' }
              : { otpOperation: 'generate' }),
          },
        },
      }),
      { [name]: 'ESME.messageId' },
    ),
  ),
  step('smsLogList', (pool) => ({
    params: { sms_id: pool.get('sms') },
    query: { Filter: { retryCount: 0 }, Include: ['status'] },
  })),
  step('smsOutboxList', { query: { Count: 5 } }),
  step('smsOutboxDeliver', (pool) => ({ params: { message_id: pool.get('smsSendGenerated') } })),
  step('smsOutboxFail', (pool) => ({ params: { message_id: pool.get('smsSendGiven') } })),
  step('smsTransportCheck'),
  step('clockRead', {}, { now: 'now' }),
  step('smsReportReceive', (pool) => {
    const text = JSON.stringify({
      ...{ messageId: pool.get('smsSendGiven'), status: 'Delivered', at: pool.get('now') },
    })
    return { text, headers: signed(text, pool.get('now')) }
  }),
  step('kannelReportReceive', (pool) => ({
    // The pool holds texts; the cast says which kind of id this one is.
    params: { token: tokens.sign(pool.get('smsSendGiven') as MessageId) },
    query: { report: '8-x' },
  })),
  step('itemDelete', oneItem),
]
