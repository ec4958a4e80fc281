import type { Zone } from '../../kernel/zone.ts'
import { CLOUD } from '../families.ts'
import { byKey, type Module } from '../module.ts'
import { zonesContract } from './contract.ts'
import { zonesHandlers } from './routes.ts'

export function zonesModule(zones: readonly Zone[]): Module {
  return { operations: [byKey(CLOUD, zonesContract, zonesHandlers(zones))] }
}
