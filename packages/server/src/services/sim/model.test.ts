/** Random sequences of SIM operations against a small model of what the interface says of them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { engines } from '../../testing/engines.ts'
import { GATEWAY, openSims } from '../../testing/sims.ts'

const SIMS = 3
const IMEIS = ['1', '2']
const CARRIERS = ['carrier-a', 'carrier-b', 'carrier-c']
const ADDRESSES = ['10.9.0.100', '10.9.0.101']

/** What the model knows of one card. */
interface Model {
  id: string | undefined
  activated: boolean
  lock: string | undefined
  allowed: readonly string[]
  inGateway: boolean
  ip: string | undefined
  session: { imei: string; carrier: string } | undefined
}

const BLANK: Omit<Model, 'id'> = {
  activated: false,
  lock: undefined,
  allowed: CARRIERS,
  inGateway: false,
  ip: undefined,
  session: undefined,
}

type Step = { readonly sim: number; readonly verb: Verb; readonly pick: number }
const VERBS = [
  'create',
  'delete',
  'activate',
  'deactivate',
  'reconnect',
  'lock',
  'unlock',
  'carriers',
  'ip',
  'clearIp',
  'join',
  'leave',
  'attach',
  'attach',
  'detach',
  'power',
] as const
type Verb = (typeof VERBS)[number]

const step: fc.Arbitrary<Step> = fc.record({
  sim: fc.nat(SIMS - 1),
  verb: fc.constantFrom(...VERBS),
  pick: fc.nat(11),
})

type Cloud = Awaited<ReturnType<typeof openSims>>

class World {
  readonly #cloud: Cloud
  readonly models: Model[] = Array.from({ length: SIMS }, () => ({ id: undefined, ...BLANK }))
  #isUp = true

  constructor(cloud: Cloud) {
    this.#cloud = cloud
  }

  /** Does it to both, and answers with what was expected and what came. */
  async run({ sim, verb, pick }: Step): Promise<[unknown, unknown]> {
    const model = this.models[sim]
    if (model === undefined) throw new Error('No such model.')
    const expected = this.#expect(model, verb, pick)
    const came = await this.#do(sim, model, verb, pick)
    if (typeof came === 'string' && verb === 'create') model.id = came
    if (verb === 'delete') model.id = undefined
    return [expected, verb === 'create' && typeof came === 'string' ? 201 : came]
  }

  #expect(model: Model, verb: Verb, pick: number): unknown {
    const exists = model.id !== undefined
    const imei = IMEIS[pick % 2] ?? ''
    const carrier = CARRIERS[pick % 3] ?? ''
    if (verb === 'power') {
      this.#isUp = !this.#isUp
      if (!this.#isUp) for (const one of this.models) one.session = undefined
      return 200
    }
    if (verb === 'attach') return this.#admit(model, imei, carrier)
    if (verb === 'create') return exists ? 409 : Object.assign(model, BLANK) && 201
    if (!exists) return verb === 'ip' ? 409 : 404
    const status = this.#change(model, verb, pick, imei, carrier)
    this.#settle(model)
    return status
  }

  #change(model: Model, verb: Verb, pick: number, imei: string, carrier: string): number {
    switch (verb) {
      case 'delete':
        Object.assign(model, BLANK)
        return 200
      case 'activate':
      case 'deactivate':
        if (model.activated === (verb === 'activate')) return 409
        model.activated = verb === 'activate'
        return 200
      case 'lock':
      case 'unlock':
        model.lock = verb === 'lock' ? imei : undefined
        return 200
      case 'carriers':
        model.allowed = [carrier]
        return 200
      case 'ip':
        return this.#setIp(model, ADDRESSES[pick % 2] ?? '')
      case 'clearIp':
        model.ip = undefined
        return 200
      case 'join':
        if (model.inGateway) return 409
        model.inGateway = true
        return 200
      case 'leave':
        if (!model.inGateway) return 404
        model.inGateway = false
        model.ip = undefined
        return 200
      case 'detach':
        model.session = undefined
        return 200
      default:
        return 200
    }
  }

  #setIp(model: Model, ip: string): number {
    if (!model.inGateway) return 404
    if (model.ip !== undefined) return 409
    if (this.models.some((other) => other.ip === ip)) return 400
    model.ip = ip
    return 200
  }

  #reason({ id, activated, lock, allowed, inGateway }: Model, imei: string, carrier: string) {
    if (id === undefined) return 'not_registered'
    if (!activated) return 'not_activated'
    if (lock !== undefined && lock !== imei) return 'imei_locked'
    if (!allowed.includes(carrier)) return 'carrier_not_allowed'
    if (!inGateway) return 'no_network'
    return this.#isUp ? null : 'gateway_down'
  }

  #admit(model: Model, imei: string, carrier: string): string | null {
    const reason = this.#reason(model, imei, carrier)
    if (reason === null) model.session = { imei, carrier }
    return reason
  }

  #settle(model: Model): void {
    const { session } = model
    if (session && this.#reason(model, session.imei, session.carrier) !== null) {
      model.session = undefined
    }
  }

  async #do(n: number, { id = '900000000000' }: Model, verb: Verb, pick: number) {
    const { put, drop, ask, create, attach, operator, networks, inGateways, clock } = this.#cloud
    const imei = IMEIS[pick % 2] ?? ''
    const carrier = CARRIERS[pick % 3] ?? ''
    const iccid = `8981040000${String(n).padStart(9, '0')}`
    const code = (work: Promise<unknown>) =>
      work.then(
        () => 200,
        (error) => (error.code === 'conflict' ? 409 : 404),
      )
    switch (verb) {
      case 'create': {
        const made = await create(n)
        return made.status === 201 ? (made.body.CommonServiceItem.ID as string) : made.status
      }
      case 'delete':
        return (await ask('DELETE', `/commonserviceitem/${id}`)).status
      case 'lock':
        return (await put(id, 'imeilock', { sim: { imei } })).status
      case 'unlock':
        return (await drop(id, 'imeilock')).status
      case 'carriers': {
        const network_operator_config = [{ name: carrier, allow: true }]
        return (await put(id, 'network_operator_config', { network_operator_config })).status
      }
      case 'ip':
        return (await put(id, 'ip', { sim: { ip: ADDRESSES[pick % 2] } })).status
      case 'clearIp':
        return (await drop(id, 'ip')).status
      case 'join':
        return code(inGateways((sims) => sims.add(id, GATEWAY, 100, clock.now())))
      case 'leave':
        return code(inGateways((sims) => sims.remove(id, GATEWAY, clock.now(), false)))
      case 'attach':
        return (await attach(n, imei, carrier)).reason
      case 'detach':
        return (await operator('POST', `/devices/${iccid}/detach`)).status
      case 'power':
        await this.#power(networks)
        return 200
      default:
        return (await put(id, verb)).status
    }
  }

  async #power(networks: Cloud['networks']): Promise<void> {
    const { inGateways, clock } = this.#cloud
    if (this.#isUp) {
      networks.up.add(GATEWAY)
    } else {
      networks.up.delete(GATEWAY)
      networks.down.add(GATEWAY)
      await inGateways((sims) => sims.endSessions(GATEWAY, clock.now()))
    }
  }
}

/** What can be seen of a SIM, against what the model says. */
async function compare({ status }: Cloud, model: Model): Promise<void> {
  if (model.id === undefined) return
  const sim = await status(model.id)
  assert.deepEqual(
    {
      activated: sim.activated,
      lock: sim.imei,
      inGateway: sim.simgroup_id !== undefined,
      ip: sim.ip,
      session: sim.session_status,
      imei: sim.connected_imei,
    },
    {
      activated: model.activated,
      lock: model.lock,
      inGateway: model.inGateway,
      ip: model.ip,
      session: model.session === undefined ? 'DOWN' : 'UP',
      imei: model.session?.imei,
    },
  )
}

for (const engine of engines) {
  describe(`random SIM operations on ${engine.name}`, () => {
    test('never disagree with the model', async (t) => {
      const cloud = await openSims(t, engine)
      const runs = { numRuns: engine.name === 'sqlite' ? 40 : 8 }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
          const world = new World(cloud)
          cloud.networks.up.add(GATEWAY)
          try {
            for (const one of steps) {
              const [expected, came] = await world.run(one)
              assert.deepEqual(came, expected, JSON.stringify(one))
              for (const model of world.models) await compare(cloud, model)
            }
          } finally {
            for (const { id } of world.models) {
              if (id !== undefined) await cloud.ask('DELETE', `/commonserviceitem/${id}`)
            }
          }
        }),
        runs,
      )
    })
  })
}
