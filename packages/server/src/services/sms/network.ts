/**
 * The embedded default of the transport: a network inside the database. What it takes over is a row
 * with the time of its report; reports are made on the clock. Nothing leaves the machine.
 */
import { DAY_SECONDS, secondsAfter } from '../../kernel/units.ts'
import { ROWS_AT_ONCE } from '../../storage/aged-rows.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { DeliveryStore } from './delivery-store.ts'
import { planFor } from './network-rules.ts'
import { NetworkStore } from './network-store.ts'
import type { MessageId } from './rules.ts'
import type { Step } from './step.ts'
import type { Submission, SubmitAnswer, Transport, TransportCheck } from './transport.ts'

const REPORTS_AT_ONCE = 200
/** Far longer than any message can be submitted again. */
const MEMORY_SECONDS = DAY_SECONDS

export class EmbeddedNetwork implements Transport {
  readonly name = 'outbox'
  readonly address = undefined
  readonly leavesMachine = false
  readonly recognisesRepeats = true
  readonly #database: Database
  readonly #magic: boolean

  /** `magic` says whether some destinations have a fate of their own. */
  constructor(database: Database, magic: boolean) {
    this.#database = database
    this.#magic = magic
  }

  submit(message: Submission, now: Date): Promise<SubmitAnswer> {
    return this.#database.write(async (tx) => {
      const settings = new SettingStore(tx)
      const habit = await settings.get('sms_network')
      const delaySeconds = await settings.get('sms_delivery_seconds')
      const plan = planFor(message, habit, delaySeconds, this.#magic, now)
      if (plan.answer !== 'accepted') return plan
      // Its own name for the message is ours, so that a repeat meets the row of the first time.
      const reference = message.messageId
      const { report } = plan
      const isAtOnce = report !== undefined && report.at <= now
      await new NetworkStore(tx).insert(reference, report, isAtOnce, now)
      if (isAtOnce) await new DeliveryStore(tx).end(reference, report.outcome, report.at)
      return { answer: 'accepted', reference }
    })
  }

  async check(): Promise<TransportCheck> {
    return { state: 'ready', detail: '' }
  }

  /** Reports are recorded in the transaction that takes them from here: not lost, not repeated. */
  readonly reporting: Step = {
    nextDue: (tx) => new NetworkStore(tx).nextDue(),
    run: async (database, now) => {
      let reported = 0
      for (;;) {
        const { count, deleted } = await database.write(async (tx) => {
          const store = new NetworkStore(tx)
          const due = await store.takeDue(now, REPORTS_AT_ONCE)
          // A reference is our own id, and what is reported here is in the status: no row besides.
          for (const { reference, outcome, at } of due) {
            await new DeliveryStore(tx).end(reference as MessageId, outcome, at)
          }
          const before = secondsAfter(now, -MEMORY_SECONDS)
          return { count: due.length, deleted: await store.deleteTaken(before, ROWS_AT_ONCE) }
        })
        reported += count
        if (count < REPORTS_AT_ONCE && deleted < ROWS_AT_ONCE) return `${reported} reported`
      }
    },
  }
}
