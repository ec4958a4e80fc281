/** The SIMs and the network behind them, put together from their parts. */
import type { Job } from '../kernel/job.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import { FLEET_JOB, fleetJob } from '../planes/simulator/fleet-job.ts'
import { devicesHandlers } from '../services/sim/devices-routes.ts'
import { fleetSection } from '../services/sim/fleet-world.ts'
import { simKind } from '../services/sim/item-kind.ts'
import { forgetHistoryJob, packTrafficJob } from '../services/sim/jobs.ts'
import { Carriers, Devices, type Networks } from '../services/sim/public.ts'
import { simHandlers } from '../services/sim/routes.ts'
import { simsSection } from '../services/sim/sims-world.ts'
import { carriersSection, simCardsSection } from '../services/sim/world.ts'
import type { Database } from '../storage/database.ts'

export function composeSims(parts: {
  readonly database: Database
  readonly box: SecretBox
  readonly words: Words
  readonly networks: Networks
  readonly wake: (job: string) => void
}) {
  const { database, box, words, networks, wake } = parts
  const carriers = new Carriers(words.carriers)
  const devices = new Devices(database, networks, carriers)
  const jobs: readonly Job<Database>[] = [packTrafficJob, forgetHistoryJob, fleetJob(devices)]
  return {
    kind: simKind(box, networks, words),
    handlers: simHandlers(networks, carriers),
    devicesHandlers: devicesHandlers(devices),
    sections: [
      carriersSection,
      simCardsSection(box),
      simsSection(box),
      fleetSection(() => wake(FLEET_JOB)),
    ],
    jobs,
  }
}
