/**
 * The embedded default of the transport: a network inside the database. What it takes over is a row
 * with the time of its report; reports are made on the clock. Nothing leaves the machine.
 */
import { DAY_SECONDS, secondsAfter } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { recordReport } from './delivery.ts'
import { planFor } from './network-rules.ts'
import { NetworkStore } from './network-store.ts'
import type { Step } from './step.ts'
import type { Submission, SubmitAnswer, Transport } from './transport.ts'

const REPORTS_AT_ONCE = 200
/** Far longer than any message can be submitted again. */
const MEMORY_SECONDS = DAY_SECONDS

export class EmbeddedNetwork implements Transport {
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
      if (isAtOnce) await recordReport(tx, { reference, ...report })
      return { answer: 'accepted', reference }
    })
  }

  /** Reports are recorded in the transaction that takes them from here: not lost, not repeated. */
  reportTo(): void {}

  readonly reporting: Step = {
    nextDue: (tx) => new NetworkStore(tx).nextDue(),
    run: async (database, now) => {
      let reported = 0
      for (;;) {
        const count = await database.write(async (tx) => {
          const store = new NetworkStore(tx)
          const due = await store.takeDue(now, REPORTS_AT_ONCE)
          for (const report of due) await recordReport(tx, report)
          await store.deleteTaken(secondsAfter(now, -MEMORY_SECONDS))
          return due.length
        })
        reported += count
        if (count < REPORTS_AT_ONCE) return `${reported} reported`
      }
    },
  }
}
