import type { SecretBox } from '../../kernel/secret-box.ts'
import { byOperator, type Module } from '../module.ts'
import type { Carriers, Networks } from '../sim/public.ts'
import { radiusClientContract } from './clients-contract.ts'
import { radiusClientHandlers } from './clients-routes.ts'
import { networkElementContract } from './contract.ts'
import { networkElementHandlers } from './routes.ts'
import { SEALED } from './store.ts'
import { networkElementsSection } from './world.ts'

export function networkModule(parts: {
  readonly box: SecretBox
  readonly carriers: Carriers
  readonly networks: Networks
}): Module {
  const { box, carriers, networks } = parts
  return {
    sealed: [SEALED],
    sections: [networkElementsSection(box, carriers)],
    operations: [
      byOperator(networkElementContract, networkElementHandlers(box, carriers, networks)),
      byOperator(radiusClientContract, radiusClientHandlers(box)),
    ],
  }
}
