import type { Appliance } from '@kumoi/client'

/** What the parts of a gateway's page are given. */
export interface GatewayPart {
  readonly gateway: Appliance
  /** Asks for the state again, after something was done. */
  readonly onChange: () => void
}
