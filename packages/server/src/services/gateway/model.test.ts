/** Random sequences of gateway operations against a reference model that fits on a page. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { type Gateways, gatewayDraft, openGateways, settingsBody } from '../../testing/gateways.ts'

const ZONES = ['is1a', 'tk1a'] as const
const GATEWAYS = 3
const SIMS = 4
const SWITCHES = 2
const SIM_LIMIT = 2
const PROVISIONING_SECONDS = 3
const ADDRESSES = ['10.70.0.1', '192.168.5.1']
const PREFIXES = ['10.1.0.0/16', '10.1.2.0/24', '10.2.0.0/16']

/** One place for a gateway; what is made there anew gets a new id. */
interface Place {
  id: string
  zone: string
  exists: boolean
  availableAt: number
  power: 'up' | 'down'
  stored: string | undefined
  applied: string | undefined
  switch: number | undefined
  routes: { sim: number; prefix: string }[]
}

interface Model {
  now: number
  places: Place[]
  /** The gateway that each SIM is in. */
  sims: (number | undefined)[]
  ips: (string | undefined)[]
  up: Set<number>
}

interface World extends Gateways {
  readonly simIds: readonly string[]
  readonly switchIds: readonly string[]
}

/** Does it to both and answers with the status that each gives. */
type Step = (model: Model, world: World) => Promise<readonly [number, number]>

const place = fc.nat(GATEWAYS - 1)
const sim = fc.nat(SIMS - 1)

const at = (model: Model, n: number): Place => {
  const found = model.places[n]
  if (found === undefined) throw new Error(`There is no place ${n}.`)
  return found
}
const isUp = (model: Model, { exists, availableAt, power }: Place) =>
  exists && availableAt <= model.now && power === 'up'
const inside = (model: Model, n: number) =>
  model.sims.flatMap((gateway, index) => (gateway === n ? [index] : []))

function leave(model: Model, index: number): void {
  const gateway = model.sims[index]
  if (gateway === undefined) return
  const { routes } = at(model, gateway)
  at(model, gateway).routes = routes.filter((route) => route.sim !== index)
  model.sims[index] = undefined
  model.ips[index] = undefined
  model.up.delete(index)
}

const call = async (world: World, { id, zone }: Place, method: string, path = '', body?: object) =>
  (await world.ask(method, `/appliance/${id}${path}`, { zone, body })).status

const create = fc.record({ n: place, zone: fc.constantFrom(...ZONES) }).map(
  ({ n, zone }): Step =>
    async (model, world) => {
      const old = at(model, n)
      if (old.exists) return [0, 0]
      const made = await world.ask('POST', '/appliance', { zone, body: gatewayDraft(`g${n}`) })
      model.places[n] = {
        ...{ id: made.body.Appliance.ID, zone, exists: true, power: 'up', routes: [] },
        ...{ stored: undefined, applied: undefined, switch: undefined },
        availableAt: model.now + PROVISIONING_SECONDS,
      }
      return [made.status, 202]
    },
)

const wait = fc.constantFrom(1, 2, 5).map(
  (seconds): Step =>
    async (model, world) => {
      model.now += seconds
      await world.wait(seconds)
      return [0, 0]
    },
)

const remove = place.map(
  (n): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const status = await call(world, gateway, 'DELETE')
      if (!gateway.exists) return [status, 404]
      for (const index of inside(model, n)) leave(model, index)
      gateway.exists = false
      return [status, 200]
    },
)

const store = fc.record({ n: place, address: fc.constantFrom(...ADDRESSES) }).map(
  ({ n, address }): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const Interfaces = [null, { IPAddress: [address], NetworkMaskLen: 16 }]
      const status = await call(world, gateway, 'PUT', '', settingsBody({ Interfaces }))
      if (!gateway.exists) return [status, 404]
      gateway.stored = address
      return [status, 200]
    },
)

const configure = place.map(
  (n): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const status = await call(world, gateway, 'PUT', '/config')
      if (!gateway.exists) return [status, 404]
      gateway.applied = gateway.stored
      return [status, 200]
    },
)

const turn = fc.record({ n: place, how: fc.constantFrom('on', 'off', 'reset') }).map(
  ({ n, how }): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const method = how === 'off' ? 'DELETE' : 'PUT'
      const status = await call(world, gateway, method, how === 'reset' ? '/reset' : '/power')
      if (!gateway.exists) return [status, 404]
      const from = how === 'on' ? 'down' : 'up'
      if (gateway.availableAt > model.now || gateway.power !== from) return [status, 409]
      if (how !== 'on') for (const index of inside(model, n)) model.up.delete(index)
      if (how !== 'reset') gateway.power = how === 'on' ? 'up' : 'down'
      return [status, 200]
    },
)

const connect = fc.record({ n: place, to: fc.nat(SWITCHES - 1) }).map(
  ({ n, to }): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const path = `/interface/1/to/switch/${world.switchIds[to]}`
      const status = await call(world, gateway, 'PUT', path)
      // The switches are in the first zone, so a gateway of the other one finds none.
      if (!gateway.exists || gateway.zone !== ZONES[0]) return [status, 404]
      if (gateway.switch !== undefined) return [status, 409]
      if (model.places.some((other) => other.exists && other.switch === to)) return [status, 400]
      gateway.switch = to
      return [status, 200]
    },
)

const addSim = fc.record({ n: place, index: sim }).map(
  ({ n, index }): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const body = { sim: { resource_id: world.simIds[index] } }
      const status = await call(world, gateway, 'POST', '/mobilegateway/sims', body)
      if (!gateway.exists) return [status, 404]
      if (model.sims[index] !== undefined) return [status, 409]
      if (inside(model, n).length >= SIM_LIMIT) return [status, 409]
      model.sims[index] = n
      return [status, 200]
    },
)

const removeSim = fc.record({ n: place, index: sim }).map(
  ({ n, index }): Step =>
    async (model, world) => {
      const gateway = at(model, n)
      const path = `/mobilegateway/sims/${world.simIds[index]}`
      const status = await call(world, gateway, 'DELETE', path)
      if (!gateway.exists || model.sims[index] !== n) return [status, 404]
      leave(model, index)
      return [status, 200]
    },
)

const setIp = fc.record({ index: sim, ip: fc.constantFrom('10.0.0.5', '10.0.0.6') }).map(
  ({ index, ip }): Step =>
    async (model, world) => {
      const path = `/commonserviceitem/${world.simIds[index]}/sim/ip`
      const { status } = await world.ask('PUT', path, { body: { sim: { ip } } })
      const gateway = model.sims[index]
      if (gateway === undefined) return [status, 404]
      if (model.ips[index] !== undefined) return [status, 409]
      if (inside(model, gateway).some((other) => model.ips[other] === ip)) return [status, 400]
      model.ips[index] = ip
      return [status, 200]
    },
)

const routes = fc
  .record({
    n: place,
    list: fc.array(fc.record({ sim, prefix: fc.constantFrom(...PREFIXES) }), { maxLength: 3 }),
  })
  .map(
    ({ n, list }): Step =>
      async (model, world) => {
        const gateway = at(model, n)
        const sim_routes = list.map((route) => ({
          resource_id: world.simIds[route.sim],
          prefix: route.prefix,
        }))
        const status = await call(world, gateway, 'PUT', '/mobilegateway/simroutes', { sim_routes })
        // Of the three prefixes the second is within the first.
        const groups = list.map(({ prefix }) => prefix.slice(0, 4))
        if (new Set(groups).size < groups.length) return [status, 400]
        if (!gateway.exists || list.some((route) => model.sims[route.sim] !== n))
          return [status, 404]
        gateway.routes = list.map((route) => ({ ...route }))
        return [status, 200]
      },
  )

const attach = sim.map(
  (index): Step =>
    async (model, world) => {
      const { accepted } = await world.attach(index)
      const gateway = model.sims[index]
      const isLetIn = gateway !== undefined && isUp(model, at(model, gateway))
      if (isLetIn) model.up.add(index)
      return [accepted ? 1 : 0, isLetIn ? 1 : 0]
    },
)

const step = fc.oneof(
  { weight: 3, arbitrary: create },
  { weight: 3, arbitrary: wait },
  { weight: 3, arbitrary: addSim },
  { weight: 2, arbitrary: attach },
  ...[remove, store, configure, turn, connect, removeSim, setIp, routes].map((arbitrary) => ({
    weight: 1,
    arbitrary,
  })),
)

/** All that the interface shows of the model's state. */
async function compare(model: Model, world: World): Promise<void> {
  for (const [n, gateway] of model.places.entries()) {
    const path = `/appliance/${gateway.id}`
    const { zone } = gateway
    const { status, body } = await world.ask('GET', path, { zone })
    assert.equal(status, gateway.exists ? 200 : 404)
    if (!gateway.exists) continue
    const made = gateway.availableAt <= model.now
    const { Availability, Instance, Interfaces, Settings } = body.Appliance
    assert.equal(Availability, made ? 'available' : 'migrating')
    assert.equal(Instance?.Status, made ? gateway.power : undefined)
    assert.equal(Interfaces.length, made ? (gateway.switch === undefined ? 1 : 2) : 0)
    assert.equal(Settings?.MobileGateway.Interfaces[1].IPAddress[0], gateway.stored)
    if (made && gateway.switch !== undefined) {
      assert.equal(Interfaces[1].UserIPAddress ?? undefined, gateway.applied)
    }
    const sims = await world.ask('GET', `${path}/mobilegateway/sims`, { zone })
    const shown = sims.body.sim.map((one: Record<string, string>) => [
      world.simIds.indexOf(one.resource_id ?? ''),
      one.ip,
      one.session_status,
    ])
    const wanted = inside(model, n).map((index) => [
      index,
      model.ips[index],
      model.up.has(index) ? 'UP' : 'DOWN',
    ])
    assert.deepEqual(shown, wanted)
    assert.equal(sims.body.Total, wanted.length)
    const routed = await world.ask('GET', `${path}/mobilegateway/simroutes`, { zone })
    assert.deepEqual(
      routed.body.sim_routes.map(({ resource_id, prefix }: Record<string, string>) => ({
        sim: world.simIds.indexOf(resource_id ?? ''),
        prefix,
      })),
      gateway.routes,
    )
  }
  for (const zone of ZONES) {
    const { Total } = (await world.ask('GET', '/appliance', { zone })).body
    const there = model.places.filter((gateway) => gateway.exists && gateway.zone === zone)
    assert.equal(Total, there.length)
  }
}

/** The same SIMs and switches for every run; what a run has made is taken away before the next. */
async function begin(world: World, made: Set<string>): Promise<Model> {
  for (const zone of ZONES) {
    for (const id of made) await world.ask('DELETE', `/appliance/${id}`, { zone })
  }
  made.clear()
  const nothing: Place = {
    ...{ id: '900000000000', zone: ZONES[0], exists: false, availableAt: 0, power: 'up' },
    ...{ stored: undefined, applied: undefined, switch: undefined, routes: [] },
  }
  return {
    now: 0,
    places: Array.from({ length: GATEWAYS }, () => ({ ...nothing })),
    sims: Array(SIMS).fill(undefined),
    ips: Array(SIMS).fill(undefined),
    up: new Set(),
  }
}

const runs = (engine: TestEngine) => (engine.name === 'sqlite' ? 100 : 20)

for (const engine of engines) {
  describe(`random gateway operations on ${engine.name}`, () => {
    test('never disagree with the model', async (t) => {
      const gateways = await openGateways(t, engine)
      await gateways.operator('POST', '/world', {
        body: { version: 1, settings: { sims_per_gateway: SIM_LIMIT } },
      })
      const simIds: string[] = []
      for (let n = 0; n < SIMS; n += 1) simIds.push(await gateways.sim(n))
      const switchIds: string[] = []
      for (let n = 0; n < SWITCHES; n += 1) {
        const made = await gateways.ask('POST', '/switch', { body: { Switch: { Name: `s${n}` } } })
        switchIds.push(made.body.Switch.ID)
      }
      const world = { ...gateways, simIds, switchIds }
      const made = new Set<string>()
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
          const model = await begin(world, made)
          for (const take of steps) {
            const [got, wanted] = await take(model, world)
            for (const { id } of model.places) made.add(id)
            assert.equal(got, wanted)
          }
          await compare(model, world)
        }),
        { numRuns: runs(engine) },
      )
    })
  })
}
