import { MAINTENANCE } from '../families.ts'
import { byAccount, byOperator, type Module } from '../module.ts'
import { announcementContract } from './announcement-contract.ts'
import { announcementHandlers } from './announcement-routes.ts'
import { maintenanceContract } from './contract.ts'
import { demoMaintenance } from './demo.ts'
import { maintenanceHandlers } from './routes.ts'
import { maintenancesSection } from './world.ts'

export const maintenanceModule: Module = {
  demoPast: demoMaintenance,
  sections: [maintenancesSection],
  operations: [
    byAccount(MAINTENANCE, maintenanceContract, maintenanceHandlers),
    byOperator(announcementContract, announcementHandlers),
  ],
}
