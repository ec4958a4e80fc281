/** Gateways: created, powered, configured, with SIMs and routes. */
import {
  type Body,
  type Change,
  type Command,
  type Context,
  call,
  caller,
  change,
  type Expected,
  firstMaker,
  type Maker,
  maker,
  type Slots,
  search,
  someCaller,
} from '../command.ts'
import {
  type Gateway,
  identify,
  isProvisional,
  japan,
  type Model,
  month,
  provisional,
} from '../state.ts'
import { isFull } from './quotas.ts'
import { endSession, leave } from './sessions.ts'
import { shownSim } from './sims.ts'

export const PLACES = 2
const ZONES = ['is1a', 'tk1a'] as const
const PROVISIONING_MS = 3000

const api = (zone: string) => `/${zone}/api/cloud/1.1/appliance`
/** Each place has a zone of its own, so that a command need not know where its gateway is. */
export const zoneOf = (place: number) => ZONES[place] ?? 'is1a'

function create(context: Context): Command {
  const { choices, slots, step } = context
  const place = choices.below(PLACES)
  const [zone, name] = [zoneOf(place), `gateway-${place}-${step}`]
  const key = provisional(name)
  return call({
    ...{ name: 'gatewayCreate', method: 'POST', path: api(zone), level: 'create' },
    body: {
      Appliance: {
        ...{ Name: name, Class: 'mobilegateway', Plan: { ID: 2 } },
        Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
      },
    },
    caller: someCaller(context),
    play(model, account): Expected {
      if (isFull(model, account, 'gateways')) return { status: 409 }
      const availableAt = model.now + PROVISIONING_MS
      model.gateways.set(key, {
        ...{ account, name, description: null, tags: [], createdAt: model.now, zone, availableAt },
        ...{ isUp: true, stored: undefined, applied: undefined, dns: undefined },
        ...{ quotaMb: undefined, switch: undefined, routes: [], traffic: new Map() },
      })
      return {
        status: 202,
        shows: {
          Success: 'Accepted',
          Appliance: { Name: name, Availability: 'migrating', Instance: null, Interfaces: [] },
        },
        learn: ({ Appliance }) => identify(model.gateways, key, Appliance.ID),
      }
    },
    keep: ({ Appliance }) => slots.set(`gateway:${place}`, Appliance.ID),
  })
}

export type GatewayChange = Pick<Change<Gateway>, 'name' | 'method' | 'path'> &
  Partial<Change<Gateway>> & {
    readonly place?: number
    on(gateway: Gateway, model: Model, id: string): Expected | undefined
  }

/** Sometimes through the wrong zone, where it does not exist. */
export function onGateway(context: Context, given: GatewayChange): Command {
  const { path, on, place = context.choices.below(PLACES), ...rest } = given
  const id = context.slots.get(`gateway:${place}`)
  const zone = context.choices.oneIn(30) ? 'is1b' : zoneOf(place)
  return change<Gateway>(context, {
    ...{ ...rest, path: `${api(zone)}/${id}${path}` },
    find({ gateways }) {
      const found = gateways.get(id)
      return found?.zone === zone ? found : undefined
    },
    play: (gateway, model) => on(gateway, model, id),
  })
}

export const simsIn = ({ sims }: Model, gateway: string) =>
  [...sims].filter(([, sim]) => sim.gateway === gateway)
const isReady = (gateway: Gateway, { now }: Model) => gateway.availableAt <= now

const remove = (context: Context) =>
  onGateway(context, {
    ...{ name: 'gatewayDelete', method: 'DELETE', path: '', level: 'create' },
    on(_gateway, model, id) {
      for (const [simId, sim] of simsIn(model, id)) {
        // With the gateway all its sessions end, also those that could go on in a project.
        endSession(model, sim)
        leave(model, simId, sim)
      }
      model.gateways.delete(id)
      return {
        status: 200,
        shows: { Success: true, Appliance: { Instance: null, Interfaces: [] } },
      }
    },
  })

function power(context: Context): Command {
  const how = context.choices.pick(['On', 'On', 'Off', 'Reset'] as const)
  return onGateway(context, {
    ...{ name: `gatewayPower${how}`, method: how === 'Off' ? 'DELETE' : 'PUT', level: 'power' },
    path: how === 'Reset' ? '/reset' : '/power',
    on(gateway, model, id) {
      if (!isReady(gateway, model) || gateway.isUp === (how === 'On')) return { status: 409 }
      if (how !== 'On') for (const [, sim] of simsIn(model, id)) endSession(model, sim)
      gateway.isUp = how !== 'Off'
      return undefined
    },
  })
}

function store(context: Context): Command {
  const address = context.choices.pick(['10.70.0.1', '192.168.5.1', '8.8.4.4'])
  const Interfaces = [null, { IPAddress: [address], NetworkMaskLen: 16 }]
  const Settings = { MobileGateway: { Interfaces } }
  const hash = context.choices.oneIn(8) ? { SettingsHash: 'f'.repeat(32) } : {}
  return onGateway(context, {
    ...{
      name: 'gatewayUpdate',
      method: 'PUT',
      path: '',
      body: { Appliance: { Settings, ...hash } },
    },
    on(gateway) {
      if ('SettingsHash' in hash) return { status: 409 }
      if (address === '8.8.4.4') return { status: 400 }
      gateway.stored = address
      return { status: 200, shows: { Success: true, Appliance: { Settings } } }
    },
  })
}

const configure = (context: Context) =>
  onGateway(context, {
    ...{ name: 'gatewayConfigure', method: 'PUT', path: '/config' },
    on(gateway) {
      gateway.applied = gateway.stored
      return { status: 200, shows: { Success: true } }
    },
  })

const shownSettings = (address: string | undefined) =>
  address === undefined
    ? null
    : { MobileGateway: { Interfaces: [null, { IPAddress: [address], NetworkMaskLen: 16 }] } }

const applied = (context: Context) =>
  onGateway(context, {
    ...{ name: 'gatewayAppliedRead', method: 'GET', path: '/config', level: 'view' },
    on: (gateway) => ({ status: 200, shows: { Settings: shownSettings(gateway.applied) } }),
  })

/** Each of the ways to read a gateway shows another part of it. */
const READS = {
  '': (gateway: Gateway, model: Model) => ({ Appliance: shown(gateway, model) }),
  '/mobilegateway/simroutes': ({ routes }: Gateway) => ({
    sim_routes: routes.map(({ sim, prefix }) => ({ resource_id: sim, prefix })),
  }),
  '/mobilegateway/dnsresolver': ({ dns }: Gateway) => ({
    sim_group: dns === undefined ? [] : { dns_1: dns },
  }),
  '/mobilegateway/traffic_status': (gateway: Gateway, model: Model) => {
    const { up = 0, down = 0 } = gateway.traffic.get(month(model.now)) ?? {}
    const isShaped = up + down > (gateway.quotaMb ?? Infinity) * 1_000_000
    const traffic = { uplink_bytes: String(up), downlink_bytes: String(down) }
    return { traffic_status: { ...traffic, traffic_shaping: isShaped } }
  },
  '/mobilegateway/sims': (_gateway: Gateway, model: Model, id: string) => {
    const inside = simsIn(model, id).map(([simId, sim]) => [simId, shownSim(sim, model)] as const)
    const expected = new Map(inside)
    return { Total: expected.size, sim: (list: Body) => sameSims(expected, list) }
  },
}

/** The order is that in which they joined, or of their ids: open. */
function sameSims(expected: ReadonlyMap<string, ReturnType<typeof shownSim>>, list: Body): boolean {
  return (
    list.length === expected.size &&
    list.every((one: Body) => {
      const sim = expected.get(one.resource_id)
      return (
        sim?.session_status === one.session_status && sim?.ip === one.ip && sim?.imei === one.imei
      )
    })
  )
}

function shown(gateway: Gateway, model: Model) {
  const isMade = isReady(gateway, model)
  return {
    ...{ Name: gateway.name, Settings: shownSettings(gateway.stored) },
    ...{ Availability: isMade ? 'available' : 'migrating', CreatedAt: japan(gateway.createdAt) },
    Instance: isMade ? { Status: gateway.isUp ? 'up' : 'down' } : null,
    Interfaces: isMade ? [{}, ...privateInterface(gateway, model)] : [],
  }
}

/** There while a switch is connected, with the address that the network knows. */
function privateInterface({ switch: id = '', applied }: Gateway, { switches }: Model) {
  const connected = switches.get(id)
  if (connected === undefined) return []
  const Switch = { ID: id, Name: connected.name, UserSubnet: connected.subnet ?? null }
  return [{ UserIPAddress: applied ?? null, Switch }]
}

function read(context: Context): Command {
  // The keys are exactly these.
  const path = context.choices.pick(Object.keys(READS) as (keyof typeof READS)[])
  return onGateway(context, {
    ...{ name: 'gatewayRead', method: 'GET', path, level: 'view' },
    on: (gateway, model, id) => ({ status: 200, shows: READS[path](gateway, model, id) }),
  })
}

export const gatewayMakers: readonly Maker[] = [
  ...[
    firstMaker(2, create),
    maker(1, remove),
    maker(3, power),
    maker(2, store),
    maker(2, configure),
  ],
  ...[maker(1, applied), maker(6, read)],
]

/** All gateways of an account in a zone; those whose creation was not answered can be named from then on. */
export function readGateways(account: string, zone: string, slots: Slots): Command {
  return call({
    ...{ name: 'gatewayList', method: 'GET', level: 'view' },
    path: `${api(zone)}${search({ Sort: ['Name'] })}`,
    caller: caller(`${account}-token`),
    play(model) {
      const found = [...model.gateways]
        .filter(([, one]) => one.account === account && one.zone === zone)
        .sort(([, a], [, b]) => (a.name < b.name ? -1 : 1))
      return {
        status: 200,
        shows: {
          Total: found.length,
          Appliances: found.map(([, gateway]) => shown(gateway, model)),
        },
        learn({ Appliances }) {
          for (const [place, [id]] of found.entries()) {
            if (isProvisional(id)) identify(model.gateways, id, Appliances[place].ID)
          }
        },
      }
    },
    keep({ Appliances }: Body) {
      for (const { ID, Name } of Appliances) {
        const [, place] = /^gateway-(\d)-/.exec(Name) ?? []
        if (place !== undefined) slots.set(`gateway:${place}`, ID)
      }
    },
  })
}
