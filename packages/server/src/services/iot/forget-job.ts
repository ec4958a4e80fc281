/** Messages and deliveries past their time, in bounded steps. */
import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/units.ts'
import { inBatches } from '../../storage/aged-rows.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { DeliveryStore } from './delivery-store.ts'
import { IncomingStore } from './incoming-store.ts'
import { MessageStore } from './message-store.ts'
import { REPLAY_WINDOW_SECONDS } from './signature-rules.ts'

/** To be woken when a message was stored. */
export const FORGET_JOB = 'iot-forget'

/** Twice the window: a call is looked for as long as its time may be from ours, on both sides. */
const SEEN_MS = 2 * REPLAY_WINDOW_SECONDS * 1000

/** On the hour, when something is old enough. */
function forgetDue(database: Database): Promise<Date | undefined> {
  return database.read(async (tx) => {
    const settings = new SettingStore(tx)
    const hours = (await settings.get('iot_message_hours')) * HOUR_MS
    const days = (await settings.get('iot_dead_letter_days')) * DAY_MS
    const deliveries = new DeliveryStore(tx)
    const ends = [
      [await new MessageStore(tx).oldestDone(), hours],
      [await deliveries.oldest('delivered'), hours],
      [await deliveries.oldest('dead'), days],
      [await new IncomingStore(tx).oldest(), SEEN_MS],
    ] as const
    const times = ends.flatMap(([oldest, kept]) => (oldest === undefined ? [] : [oldest + kept]))
    return times.length === 0 ? undefined : nextMultiple(Math.min(...times), HOUR_MS)
  })
}

export const forgetJob: Job<Database> = {
  name: FORGET_JOB,
  steady: true,
  nextDue: forgetDue,
  async run(database, now, signal) {
    const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
    const deleteSome = async (tx: Tx, most: number) => {
      const settings = new SettingStore(tx)
      const messages = ago((await settings.get('iot_message_hours')) * HOUR_MS)
      const dead = ago((await settings.get('iot_dead_letter_days')) * DAY_MS)
      const deliveries = new DeliveryStore(tx)
      const ended = await deliveries.forget('delivered', messages, most)
      const letters = await deliveries.forget('dead', dead, most)
      const seen = await new IncomingStore(tx).forget(ago(SEEN_MS), most)
      return seen + ended + letters + (await new MessageStore(tx).forget(messages, most))
    }
    return `${await inBatches(database, deleteSome, signal)} rows forgotten`
  },
}
