import type { Zone } from '../../kernel/zone.ts'
import { CLOUD } from '../families.ts'
import { byVisitor, type Module } from '../module.ts'
import { pricingContract } from './contract.ts'
import { pricingHandlers } from './routes.ts'
import { pricesSection } from './world.ts'

export function pricingModule(zones: readonly Zone[]): Module {
  return {
    sections: [pricesSection],
    operations: [byVisitor(CLOUD, pricingContract, pricingHandlers(zones))],
  }
}
