import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import { type Random, randomDigits, randomHex } from '../../kernel/random.ts'
import { selectFields } from '../../kernel/search-query.ts'
import type { Context } from '../context.ts'
import { type Item, ItemStore } from '../items/public.ts'
import { SettingStore } from '../settings/public.ts'
import type { ContentBox } from './content.ts'
import type { smsContract } from './contract.ts'
import { planSubmit } from './delivery.ts'
import { encode } from './encoding-rules.ts'
import { SMS_JOB } from './jobs.ts'
import { SMS_CLASS } from './kind.ts'
import { checkDay, checkDestination, dayWindow, destinationWindow } from './limit-rules.ts'
import {
  after,
  checkReachable,
  MESSAGE_ID_DIGITS,
  type Message,
  type MessageId,
  OTP_DIGITS,
  VALIDITY_SECONDS,
} from './rules.ts'
import { SmsStore } from './store.ts'
import { toAsciiHost, writeText } from './text-rules.ts'
import { type Draft, draftFromWire, logToWire, sentToWire } from './wire.ts'

export interface SmsParts {
  readonly content: ContentBox
  readonly random: Random
  readonly wake: Wake
  /** Whether a destination must be a possible mobile number of an allowed country. */
  readonly strict: boolean
  /** Whether messages leave the machine, so that limits apply. */
  readonly limited: boolean
  readonly retryCountTwin: string | undefined
}

export function smsHandlers(parts: SmsParts): Handlers<typeof smsContract, Context> {
  const { content, random, retryCountTwin } = parts
  return {
    smsSendGenerated: ({ params, body }, context) =>
      send(
        parts,
        params.sms_id,
        draftFromWire(body.ESME),
        randomDigits(random, OTP_DIGITS),
        context,
      ),

    smsSendGiven: ({ params, body }, context) =>
      send(parts, params.sms_id, draftFromWire(body.ESME), body.ESME.otp, context),

    async smsLogList({ params, query }, context) {
      const item = await getSms(params.sms_id, context)
      const { tx, caller } = context
      const messages = await new SmsStore(tx, caller.accountId).list(item.id, query)
      const logs = messages.map((message) =>
        selectFields(
          logToWire(message, content.open(message), retryCountTwin),
          query.include,
          query.exclude,
        ),
      )
      return { ESME: { logs, Count: logs.length } }
    },
  }
}

async function getSms(id: string, { tx, caller }: Context): Promise<Item> {
  const item = await new ItemStore(tx, caller.accountId).get(id)
  if (item.class === SMS_CLASS) return item
  throw new NotFound(
    `Item ${id} is no short message service.`,
    `アイテム ${id} はショートメッセージサービスではありません。`,
  )
}

async function send(parts: SmsParts, smsId: string, draft: Draft, otp: string, context: Context) {
  const { tx, caller, now } = context
  const { destination, sender, domain } = draft
  const host = domain === undefined ? undefined : toAsciiHost(domain)
  const settings = new SettingStore(tx)
  if (parts.strict) checkReachable(destination, await settings.get('sms_countries'))
  const item = await getSms(smsId, context)
  if (parts.limited) await checkLimits(destination, context)

  const text = writeText(await settings.get('sms_language'), { sender, otp, host })
  // The brand says what it is the id of.
  const id = randomHex(parts.random, MESSAGE_ID_DIGITS) as MessageId
  const message: Message = {
    id,
    serial: await planSubmit(tx, id, now),
    accountId: caller.accountId,
    itemId: item.id,
    destination,
    ...encode(text),
    sealed: parts.content.seal({ otp, text }, id),
    status: 'Accepted',
    retryCount: 0,
    sentAt: now,
    doneAt: undefined,
    expiresAt: after(now, VALIDITY_SECONDS),
  }
  await new SmsStore(tx, caller.accountId).insert(message)
  tx.afterCommit(() => parts.wake(SMS_JOB))
  return sentToWire(message, { otp, text })
}

async function checkLimits(destination: string, { tx, caller, now }: Context): Promise<void> {
  const store = new SmsStore(tx, caller.accountId)
  const settings = new SettingStore(tx)
  const perDestination = await settings.get('sms_per_destination')
  const oldest = await store.findNth(perDestination, destinationWindow(now), destination)
  checkDestination(oldest, perDestination, now)
  const perDay = await settings.get('sms_per_day')
  const last = await store.findNth(perDay, dayWindow(now))
  checkDay(last !== undefined, perDay, now)
}
