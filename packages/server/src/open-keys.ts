/** How callers are recognised by their keys: who checks them, who throttles guesses, who notes their use. */
import { BasicAuthenticator } from './http/auth/basic.ts'
import { Throttle } from './http/auth/throttle.ts'
import { RequestRates } from './http/request-rate.ts'
import { RunningClock } from './kernel/clock.ts'
import type { SecretBox } from './kernel/secret-box.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Parts } from './parts.ts'
import { KeyRing, KeyUses } from './services/account/public.ts'

export interface Keys {
  readonly basic: BasicAuthenticator
  readonly throttle: Throttle
  readonly ring: KeyRing
  readonly uses: KeyUses
  readonly requestRates: RequestRates
}

export function openKeys({ ports, storage }: Parts, box: SecretBox, metrics: Metrics): Keys {
  const { clock, random, log } = ports
  const { database } = storage
  const machine = new RunningClock()
  const throttle = new Throttle(machine, (reason) => metrics.countAuthFailure(reason))
  const basic = new BasicAuthenticator(
    ({ token, secret }) => ring.verify(database, token, secret),
    () => clock.now(),
    throttle,
  )
  const ring: KeyRing = new KeyRing(box, random, () => basic.forget())
  const uses = new KeyUses({ database, machine, world: clock, log })
  return { basic, throttle, ring, uses, requestRates: new RequestRates(machine) }
}
