/** A network at its port, in the hands of a test: gateways that are up, down or not there. */
import { parseCidr } from '../kernel/ipv4.ts'
import type { Networks } from '../services/sim/public.ts'

const POOL = parseCidr('10.9.0.0/24') ?? { network: 0, prefixLength: 32 }

export class TestNetworks implements Networks {
  readonly up = new Set<string>()
  readonly down = new Set<string>()
  /** SIMs that are in a project, and its id. */
  readonly projects = new Map<string, string>()
  readonly told: string[] = []
  pool = POOL

  of: Networks['of'] = async (_tx, { id, gatewayId }) => {
    const { pool } = this
    const project = this.projects.get(id)
    if (gatewayId !== undefined && (this.up.has(gatewayId) || this.down.has(gatewayId))) {
      return { kind: 'gateway', id: gatewayId, isUp: this.up.has(gatewayId), pool }
    }
    return project === undefined ? undefined : { kind: 'project', id: project, isUp: true, pool }
  }

  counted: Networks['counted'] = async (_tx, { kind, id }) => {
    this.told.push(`counted ${kind} ${id}`)
  }

  left: Networks['left'] = async (_tx, simId, gatewayId) => {
    this.told.push(`${simId} left ${gatewayId}`)
  }

  deleted: NonNullable<Networks['deleted']> = async (_tx, { id }) => {
    this.told.push(`${id} deleted`)
  }
}
