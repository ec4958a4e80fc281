import type { Wake } from '../../kernel/job.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Words } from '../../kernel/words.ts'
import type { Database } from '../../storage/database.ts'
import { CLOUD } from '../families.ts'
import type { ItemKind } from '../items/public.ts'
import { byKey, byOperator, type Module } from '../module.ts'
import { accountFiguresContract } from './account-contract.ts'
import { accountFiguresHandlers } from './account-routes.ts'
import { accountTrafficJob } from './account-traffic-job.ts'
import { agedMonths } from './aged-months.ts'
import { SEALED } from './card-store.ts'
import { Carriers } from './carriers.ts'
import { simContract } from './contract.ts'
import { demoSims } from './demo.ts'
import { Devices } from './devices.ts'
import { devicesContract } from './devices-contract.ts'
import { devicesHandlers } from './devices-routes.ts'
import type { Elements } from './elements.ts'
import { fleetSection } from './fleet-world.ts'
import { simKind } from './item-kind.ts'
import { historyJobs } from './jobs.ts'
import { lostSessionsJob } from './lost-sessions-job.ts'
import type { Networks } from './networks.ts'
import { simHandlers } from './routes.ts'
import { simsSection } from './sims-world.ts'
import { carriersSection, simCardsSection } from './world.ts'

export interface SimModule extends Module {
  readonly kind: ItemKind
  readonly carriers: Carriers
  /** For whatever plays the devices. */
  readonly devices: Devices
}

export function simModule(parts: {
  readonly database: Database
  readonly box: SecretBox
  readonly networks: Networks
  readonly elements: Elements
  readonly words: Words
  readonly isStrict: boolean
  readonly wake: Wake
  /** There may be a fleet to be simulated now. */
  readonly wakeFleet: () => void
}): SimModule {
  const { database, box, networks, elements, words, isStrict, wake, wakeFleet } = parts
  const carriers = new Carriers(words.carriers)
  const devices = new Devices(database, networks, carriers, wake, elements)
  return {
    kind: simKind(box, networks, words),
    ...{ devices, carriers, sealed: SEALED },
    demoPast: demoSims(networks, carriers),
    jobs: [...historyJobs(wake), accountTrafficJob, lostSessionsJob(networks)],
    aged: agedMonths,
    sections: [carriersSection, simCardsSection(box), simsSection(box), fleetSection(wakeFleet)],
    operations: [
      byKey(CLOUD, simContract, simHandlers(networks, carriers, isStrict, wake)),
      byOperator(devicesContract, devicesHandlers(devices)),
      byOperator(accountFiguresContract, accountFiguresHandlers),
    ],
  }
}
