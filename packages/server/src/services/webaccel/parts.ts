import type { WebaccelHabits } from '../../kernel/profile.ts'
import type { EdgeRequests } from './edge-requests.ts'
import type { Vault } from './vault.ts'

/** What the handlers and the world sections are handed besides a transaction. */
export interface WebaccelParts {
  readonly vault: Vault
  readonly isStrict: boolean
  readonly habits: WebaccelHabits
  readonly deliveryDomain: string
  readonly edges: EdgeRequests
  /** Of the machine. */
  readonly machineNow: () => Date
  readonly makeToken: () => string
  readonly makeLabel: () => string
}
