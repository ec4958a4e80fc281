import type { Handlers } from '../../kernel/contract.ts'
import type { Context } from '../context.ts'
import type { appliedContract } from './applied-contract.ts'
import { settingsHash } from './settings-rules.ts'
import { settingsToWire } from './settings-wire.ts'
import { GatewayStore } from './store.ts'

export const appliedHandlers: Handlers<typeof appliedContract, Context> = {
  async gatewayAppliedRead({ params }, { tx, caller, zone }) {
    const gateway = await new GatewayStore(tx, caller.accountId, zone).get(params.appliance_id)
    return {
      Settings: settingsToWire(gateway.appliedSettings),
      SettingsHash: settingsHash(gateway.appliedSettings) ?? null,
    }
  },
}
