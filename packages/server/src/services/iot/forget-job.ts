/** Messages and deliveries past their time, in bounded steps. */
import type { Job } from '../../kernel/job.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { DeliveryStore } from './delivery-store.ts'
import { IncomingStore } from './incoming-store.ts'
import { MessageStore } from './message-store.ts'
import { REPLAY_WINDOW_SECONDS } from './signature-rules.ts'

const AT_ONCE = 500
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const forgetJob: Job<Database> = {
  name: 'iot-forget',
  everySeconds: 3600,
  async run(database, now) {
    const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)
    // Twice the window: a call is looked for as long as its time may be from ours, on both sides.
    const window = ago(2 * REPLAY_WINDOW_SECONDS * 1000)
    await database.write((tx) => new IncomingStore(tx).forget(window))
    let forgotten = 0
    for (;;) {
      const rows = await database.write(async (tx) => {
        const settings = new SettingStore(tx)
        const messages = ago((await settings.get('iot_message_hours')) * HOUR_MS)
        const dead = ago((await settings.get('iot_dead_letter_days')) * DAY_MS)
        const deliveries = new DeliveryStore(tx)
        const ended = await deliveries.forget('delivered', messages, AT_ONCE)
        const letters = await deliveries.forget('dead', dead, AT_ONCE)
        return ended + letters + (await new MessageStore(tx).forget(messages, AT_ONCE))
      })
      forgotten += rows
      if (rows === 0) return `${forgotten} rows forgotten`
    }
  },
}
