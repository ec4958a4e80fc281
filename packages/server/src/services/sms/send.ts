/** A send: the message and its way to the network are written together, or nothing is. */
import type { Wake } from '../../kernel/job.ts'
import { type Random, randomHex } from '../../kernel/random.ts'
import { secondsAfter } from '../../kernel/units.ts'
import { checkQuota } from '../account/public.ts'
import type { Context } from '../context.ts'
import { Meter } from '../metering/public.ts'
import { SMS_MESSAGE } from '../pricing/public.ts'
import { SettingStore } from '../settings/public.ts'
import type { ContentBox } from './content.ts'
import { planSubmit } from './delivery.ts'
import { encode } from './encoding-rules.ts'
import { SMS_JOB } from './jobs.ts'
import { getSms } from './kind.ts'
import { checkDay, checkDestination, dayWindow, destinationWindow } from './limit-rules.ts'
import {
  checkReachable,
  type Draft,
  MESSAGE_ID_DIGITS,
  type Message,
  type MessageId,
  type TransportName,
  VALIDITY_SECONDS,
} from './rules.ts'
import { SmsStore } from './store.ts'
import { toAsciiHost, writeText } from './text-rules.ts'

export interface Sending {
  readonly content: ContentBox
  readonly random: Random
  readonly wake: Wake
  /** Whether a destination must be a possible mobile number of an allowed country. */
  readonly strict: boolean
  readonly transport: TransportName
  /** Whether messages leave the machine, so that limits apply. */
  readonly limited: boolean
}

export async function send(
  { content, random, wake, strict, transport, limited }: Sending,
  smsId: string,
  { destination, sender, otp, domain }: Draft,
  context: Context,
): Promise<Message> {
  const { tx, caller, now } = context
  const host = domain === undefined ? undefined : toAsciiHost(domain)
  const settings = new SettingStore(tx)
  if (strict) checkReachable(destination, await settings.get('sms_countries'))
  const item = await getSms(smsId, context)
  if (limited) await checkLimits(destination, context)
  await checkQuota(tx, caller, 'messages_per_day', now)

  const text = writeText(await settings.get('sms_language'), { sender, otp, host })
  // The cast is where a random text becomes the id of a message.
  const id = randomHex(random, MESSAGE_ID_DIGITS) as MessageId
  const message: Message = {
    id,
    serial: await planSubmit(tx, id, now),
    accountId: caller.accountId,
    itemId: item.id,
    destination,
    ...encode(text),
    sealed: content.seal({ otp, text, sender }, id),
    status: 'Accepted',
    transport,
    reference: undefined,
    isUncertain: false,
    retryCount: 0,
    sentAt: now,
    doneAt: undefined,
    expiresAt: secondsAfter(now, VALIDITY_SECONDS),
  }
  await new SmsStore(tx, caller.accountId).insert(message)
  // It is the sending that costs, whatever becomes of the message (docs/adr/0022-metering.md).
  const { accountId, itemId: resourceId } = message
  const use = { accountId, resourceId, name: item.name, product: SMS_MESSAGE }
  await new Meter(tx, wake).count(use, id, now)
  tx.afterCommit(() => wake(SMS_JOB))
  return message
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
