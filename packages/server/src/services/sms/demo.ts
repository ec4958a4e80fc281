/** Fifty messages of the demo world's last days: most have arrived, some have failed, the newest are on their way. */
import { japanMonthStart } from '../../kernel/datetime.ts'
import { type Random, randomDigits, randomHex } from '../../kernel/random.ts'
import { HOUR_MS, MINUTE_MS, secondsAfter } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { DEMO, DEMO_MONTHS, type DemoPast, monthsBefore } from '../demo.ts'
import { type Item, listItemsOfClass } from '../items/public.ts'
import { Meter } from '../metering/public.ts'
import { SMS_MESSAGE } from '../pricing/public.ts'
import { SettingStore } from '../settings/public.ts'
import type { ContentBox } from './content.ts'
import { encode } from './encoding-rules.ts'
import { SMS_CLASS } from './kind.ts'
import { MESSAGE_ID_DIGITS, type Message, type MessageId, VALIDITY_SECONDS } from './rules.ts'
import { SmsStore } from './store.ts'
import { writeText } from './text-rules.ts'

const MESSAGES = 50
const ON_THEIR_WAY = 3
/** Between two of them, so that they cover about six days. */
const GAP_MINUTES = 177
/** What else was sent in each month that is over. */
const OLDER_A_MONTH = 240

type Outcome = Pick<Message, 'status' | 'retryCount' | 'doneAt'>

export function demoMessages(content: ContentBox, random: Random): DemoPast {
  return async (tx, now) => {
    const item = (await listItemsOfClass(tx, SMS_CLASS)).find(({ id }) => id === DEMO.smsId)
    if (item === undefined) throw new Error(`There is no item ${DEMO.smsId}.`)
    const settings = new SettingStore(tx)
    const language = await settings.get('sms_language')
    const keptHours = await settings.get('sms_otp_retention_hours')
    const sent: Date[] = []
    // The oldest first, since messages are numbered in the order of their sending.
    for (let nth = MESSAGES - 1; nth >= 0; nth -= 1) {
      const sentAt = new Date(now.getTime() - minutesAgo(nth) * MINUTE_MS)
      const isKept = sentAt.getTime() > now.getTime() - keptHours * HOUR_MS
      const sender = 'Kumoi Demo'
      const otp = randomDigits(random, 6)
      const text = writeText(language, { sender, otp, host: undefined })
      // The cast is where a random text becomes the id of a message.
      const id = randomHex(random, MESSAGE_ID_DIGITS) as MessageId
      await new SmsStore(tx, item.accountId).insert({
        ...{ id, serial: await tx.next('outbox'), accountId: item.accountId, itemId: item.id },
        ...{ destination: `8190${12_340_000 + 7 * (nth % 23)}`, ...encode(text) },
        sealed: isKept ? content.seal({ otp, text, sender }, id) : undefined,
        ...{ transport: 'outbox', reference: undefined, isUncertain: false },
        ...outcomeOf(nth, sentAt),
        ...{ sentAt, expiresAt: secondsAfter(sentAt, VALIDITY_SECONDS) },
      })
      sent.push(sentAt)
    }
    await meter(tx, item, sent, now)
  }
}

function minutesAgo(nth: number): number {
  return nth < ON_THEIR_WAY ? 1 + nth : 15 + nth * GAP_MINUTES - (nth % 7) * 11
}

/** Those that the network has refused fail at once, those that nobody reports on at the end of their validity. */
function outcomeOf(nth: number, sentAt: Date): Outcome {
  if (nth < ON_THEIR_WAY) return { status: 'Accepted', retryCount: 0, doneAt: undefined }
  if (nth % 16 === 9) {
    return { status: 'Failed', retryCount: 4, doneAt: secondsAfter(sentAt, VALIDITY_SECONDS) }
  }
  if (nth % 16 === 4) return { status: 'Failed', retryCount: 0, doneAt: secondsAfter(sentAt, 1) }
  return {
    ...{ status: 'Delivered', retryCount: nth % 11 === 0 ? 1 : 0 },
    doneAt: secondsAfter(sentAt, 2 + (nth % 5)),
  }
}

async function meter(tx: Tx, item: Item, sent: readonly Date[], now: Date): Promise<void> {
  const { id: resourceId, accountId, name } = item
  const use = { accountId, resourceId, name, product: SMS_MESSAGE }
  const uses = Array.from({ length: DEMO_MONTHS + 1 }, (_, before) => {
    const month = monthsBefore(now, before)
    const inMonth = sent.filter((at) => japanMonthStart(at).getTime() === month.getTime()).length
    return { use, month, quantity: inMonth + (before === 0 ? 0 : OLDER_A_MONTH + 13 * before) }
  })
  await new Meter(tx).insertPast(uses.filter(({ quantity }) => quantity > 0))
}
