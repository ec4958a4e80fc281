/** A cloud with gateways and SIMs behind elements of a real network, which a test stands in for. */
import type { TestContext } from 'node:test'
import type {
  Answer,
  Packet,
  Sender,
  SendResult,
  Target,
} from '../services/element-requests/public.ts'
import { queuedRequests } from '../services/element-requests/public.ts'
import { gatewayNetworks } from '../services/gateway/public.ts'
import { type EndCause, findSim, joinNetworks, Sessions } from '../services/sim/public.ts'
import { search } from './cloud.ts'
import type { TestEngine } from './engines.ts'
import { openGateways } from './gateways.ts'
import { IMEI, iccidOf } from './sims.ts'

/** Stands at the port of what sends: keeps what it is given, and answers as the test says. */
export class ScriptedSender implements Sender {
  readonly sent: (Packet & { readonly target: Target })[] = []
  /** How many packets came at once, each time. */
  readonly batches: number[] = []
  answer: (packet: Packet) => Answer = () => ({ answer: 'ack' })
  /** What an answer waits for. */
  hold: (target: Target) => Promise<void> = async () => undefined
  /** Why nothing can be sent. */
  problem: string | undefined

  async send(target: Target, packets: readonly Packet[]): Promise<SendResult> {
    if (this.problem !== undefined) return { outcome: 'unavailable', reason: this.problem }
    this.batches.push(packets.length)
    this.sent.push(...packets.map((packet) => ({ ...packet, target })))
    await this.hold(target)
    return { outcome: 'sent', answers: packets.map((packet) => this.answer(packet)) }
  }

  async check() {
    return { ok: this.problem === undefined, detail: this.problem ?? 'scripted' }
  }
}

export const ELEMENT_SECRET = 'element-s3cret'

export async function openElements(
  t: TestContext,
  engine: TestEngine,
  radius: Sender = new ScriptedSender(),
  coaPort = 3799,
) {
  const gateways = await openGateways(t, engine, [], { radius })
  const { cloud, clock, database, operator } = gateways
  const wake = (job: string) => cloud.jobs.wake(job)
  const networks = joinNetworks([gatewayNetworks(clock, { wake })], queuedRequests(wake))
  const declare = (name: string, address: string) =>
    operator('PUT', `/network-elements/${name}`, {
      body: { address, secret: ELEMENT_SECRET, coa_port: coaPort },
    })
  await declare('pgw-1', '127.0.0.1')
  await declare('pgw-2', '127.0.0.2')
  /** As the session engine does when an element asks. */
  const attachAt = (n: number, acctSessionId: string, name = 'pgw-1') =>
    database.write((tx) => {
      const device = { imei: IMEI, carrier: 'carrier-a', element: { name, acctSessionId } }
      return new Sessions(tx, networks).attach(iccidOf(n), device, clock.now())
    })
  /** As the session engine does when the element, or we, end it. */
  const endAt = (n: number, cause: EndCause) =>
    database.write(async (tx) => {
      const sim = await findSim(tx, { iccid: iccidOf(n) })
      if (sim !== undefined) await new Sessions(tx, networks).end(sim, cause, clock.now())
    })
  return {
    ...gateways,
    ...{ declare, attachAt, endAt },
    /** A gateway that is up, with SIMs of these numbers in a session at an element; answers with their ids. */
    async withSessions(...numbers: number[]) {
      const gatewayId = await gateways.ready('gate')
      const sims: string[] = []
      for (const n of numbers) {
        const id = await gateways.sim(n)
        await gateways.add(gatewayId, id)
        await attachAt(n, `session-${n}`)
        sims.push(id)
      }
      return { gatewayId, sims }
    },
    /** As the operator sees them, the oldest first. */
    async requests(Filter: object = {}) {
      const query = search({ Filter, Sort: ['id'], Count: 0 })
      return (await operator('GET', `/element-requests${query}`)).body.requests
    },
  }
}
