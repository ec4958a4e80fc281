import { CLOUD } from '../families.ts'
import { byVisitor, type Module } from '../module.ts'
import { pricingContract } from './contract.ts'
import { pricingHandlers } from './routes.ts'
import { pricesSection } from './world.ts'

export const pricingModule: Module = {
  sections: [pricesSection],
  operations: [byVisitor(CLOUD, pricingContract, pricingHandlers)],
}
