/** Bytes that many reports of one transaction have added, until they are written together. */
import { japanMonth } from '../../kernel/datetime.ts'
import type { Wake } from '../../kernel/job.ts'
import { stepOf } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { Meter } from '../metering/public.ts'
import { simTrafficOf } from '../pricing/public.ts'
import { ACCOUNT_TRAFFIC_JOB } from './account-traffic-job.ts'
import type { Carriers } from './carriers.ts'
import { CountBatchStore, type CountedStep } from './count-batch-store.ts'
import { PACK_JOB } from './jobs.ts'
import { type CountedSim, countTogether, type Networks } from './networks.ts'
import type { Sim } from './rules.ts'
import type { NetworkKey, Traffic } from './session-rules.ts'

export interface Count {
  readonly sim: Pick<Sim, 'id' | 'accountId'>
  readonly carrier: string
  /** Undefined where the SIM was in none. */
  readonly network: NetworkKey | undefined
  readonly added: Traffic
  readonly at: Date
}

export class Counts {
  readonly #counts: Count[] = []

  add(count: Count): void {
    if (count.added.uplinkBytes + count.added.downlinkBytes > 0) this.#counts.push(count)
  }

  /** Everything that a byte is counted in: steps, months, bills, accounts, quotas and monitors. */
  async write(tx: Tx, networks: Networks, carriers: Carriers, wake: Wake): Promise<void> {
    const counts = this.#counts
    if (counts.length === 0) return
    await Promise.all([new CountBatchStore(tx).add(counts.map(toStep)), this.#meter(tx, carriers)])
    await countTogether(tx, networks, counts.flatMap(inNetwork))
    tx.afterCommit(() => {
      wake(PACK_JOB)
      wake(ACCOUNT_TRAFFIC_JOB)
    })
  }

  /** One record a SIM, carrier and month, however many reports there are. */
  async #meter(tx: Tx, carriers: Carriers): Promise<void> {
    const names = (await carriers.list(tx)).map(({ name }) => name)
    await new Meter(tx).addAll(
      this.#counts.map(({ sim, carrier, added, at }) => ({
        use: {
          accountId: sim.accountId,
          resourceId: sim.id,
          product: simTrafficOf(names.indexOf(carrier)),
        },
        quantity: added.uplinkBytes + added.downlinkBytes,
        at,
      })),
    )
  }
}

function toStep({ sim, network, added, at }: Count): CountedStep {
  const { id: simId, accountId } = sim
  return { simId, accountId, network, step: stepOf(at), month: japanMonth(at), ...added }
}

function inNetwork({ sim, network, added, at }: Count): CountedSim[] {
  return network === undefined ? [] : [{ network, simId: sim.id, counted: { ...added, at } }]
}
