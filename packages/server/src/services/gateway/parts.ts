/** What the handlers below a gateway begin with. */
import type { GatewayHabits } from '../../kernel/profile.ts'
import type { Words } from '../../kernel/words.ts'
import type { Context } from '../context.ts'
import { GatewaySims, type Networks } from '../sim/public.ts'
import type { Notifier } from './notices.ts'
import { PartsStore } from './parts-store.ts'
import { GatewayStore } from './store.ts'

export interface NetworkParts {
  readonly networks: Networks
  readonly words: Words
  readonly habits: GatewayHabits
  readonly notifier: Notifier
  readonly isStrict: boolean
}

export function simsOf({ tx, caller }: Context, networks: Networks): GatewaySims {
  return new GatewaySims(tx, caller.accountId, networks)
}

export async function partsOf(id: string, { tx, caller, zone }: Context) {
  const gateway = await new GatewayStore(tx, caller.accountId, zone).get(id)
  return { gateway, parts: new PartsStore(tx, gateway.id) }
}
