/** Plugs in SIMs and the network behind them. */
import { CLOUD, OPERATOR } from '../contracts.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import { FLEET_JOB, fleetJob } from '../planes/simulator/fleet-job.ts'
import { simContract } from '../services/sim/contract.ts'
import { devicesContract } from '../services/sim/devices-contract.ts'
import { devicesHandlers } from '../services/sim/devices-routes.ts'
import { fleetSection } from '../services/sim/fleet-world.ts'
import { simKind } from '../services/sim/item-kind.ts'
import { historyJobs } from '../services/sim/jobs.ts'
import { Carriers, Devices, type Networks } from '../services/sim/public.ts'
import { simHandlers } from '../services/sim/routes.ts'
import { simsSection } from '../services/sim/sims-world.ts'
import { carriersSection, simCardsSection } from '../services/sim/world.ts'
import type { Database } from '../storage/database.ts'
import type { Plug } from './plug.ts'

export function plugSims(parts: {
  readonly database: Database
  readonly box: SecretBox
  readonly networks: Networks
  readonly wake: (job: string) => void
  readonly words: Words
  readonly isStrict: boolean
}): Plug {
  const { database, box, networks, wake, words, isStrict } = parts
  const carriers = new Carriers(words.carriers)
  const devices = new Devices(database, networks, carriers, wake)
  return {
    kinds: [simKind(box, networks, words)],
    jobs: [...historyJobs(wake), fleetJob((store: Database) => devices.in(store))],
    sections: [
      carriersSection,
      simCardsSection(box),
      simsSection(box),
      fleetSection(() => wake(FLEET_JOB)),
    ],
    mount({ api, operatorApi, access, operatorAccess }) {
      const handlers = simHandlers(networks, carriers, isStrict, wake)
      api.mount({ family: CLOUD, contract: simContract, handlers, access })
      operatorApi.mount({
        family: OPERATOR,
        contract: devicesContract,
        handlers: devicesHandlers(devices),
        access: operatorAccess,
      })
    },
  }
}
