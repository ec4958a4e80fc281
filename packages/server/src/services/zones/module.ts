import { CLOUD } from '../families.ts'
import { byKey, type Module } from '../module.ts'
import { zonesContract } from './contract.ts'
import { zonesHandlers } from './routes.ts'

export const zonesModule: Module = { operations: [byKey(CLOUD, zonesContract, zonesHandlers)] }
