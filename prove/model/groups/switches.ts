/** Switches, and the gateways that are connected to them: one each. */
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
  identify,
  isProvisional,
  japan,
  type Model,
  provisional,
  type Subnet,
  type Switch,
} from '../state.ts'
import { onGateway, PLACES, zoneOf } from './gateways.ts'

const api = (zone: string) => `/${zone}/api/cloud/1.1/switch`
const NONE: Subnet = { DefaultRoute: '', NetworkMaskLen: 0 }
const SUBNETS: readonly (Subnet | null)[] = [
  { DefaultRoute: '192.168.1.1', NetworkMaskLen: 24 },
  { DefaultRoute: '10.0.0.1', NetworkMaskLen: 8 },
  ...[NONE, null],
  { DefaultRoute: 'router', NetworkMaskLen: 24 },
  { DefaultRoute: '10.0.0.1', NetworkMaskLen: 31 },
]

/** The length is of the form of the request; the route is read after the switch is found. */
const isLengthBad = (subnet: Subnet | null) => subnet?.NetworkMaskLen === 31
const isRouteBad = (subnet: Subnet | null) => subnet?.DefaultRoute === 'router'
/** An empty route and the length 0 mean none, too. */
const stored = (subnet: Subnet | null) => (subnet === null || subnet === NONE ? undefined : subnet)

function create(context: Context): Command {
  const { choices, slots, step } = context
  const place = choices.below(PLACES)
  const [zone, name, subnet] = [zoneOf(place), `switch-${place}-${step}`, choices.pick(SUBNETS)]
  const key = provisional(name)
  return call({
    ...{ name: 'switchCreate', method: 'POST', path: api(zone), level: 'create' },
    body: { Switch: { Name: name, UserSubnet: subnet } },
    caller: someCaller(context),
    play(model, account): Expected {
      if (isLengthBad(subnet) || isRouteBad(subnet)) return { status: 400 }
      const made: Switch = {
        ...{ account, zone, name, description: '', subnet: stored(subnet) },
        ...{ createdAt: model.now, modifiedAt: model.now },
      }
      model.switches.set(key, made)
      return {
        status: 201,
        shows: { Success: true, Switch: shown(model, key, made) },
        learn: ({ Switch }) => identify(model.switches, key, Switch.ID),
      }
    },
    keep: ({ Switch }) => slots.set(`switch:${place}`, Switch.ID),
  })
}

const isConnected = ({ gateways }: Model, id: string) =>
  [...gateways.values()].some((gateway) => gateway.switch === id)

const shown = (model: Model, id: string, one: Switch) => ({
  ...(isProvisional(id) ? {} : { ID: id }),
  ...{ Name: one.name, Description: one.description, UserSubnet: one.subnet ?? null },
  ...{ ApplianceCount: isConnected(model, id) ? 1 : 0, Zone: { Name: one.zone } },
  ...{ CreatedAt: japan(one.createdAt), ModifiedAt: japan(one.modifiedAt) },
})

type SwitchChange = Pick<Change<Switch>, 'name' | 'method' | 'path'> &
  Partial<Change<Switch>> & {
    on(found: Switch, model: Model, id: string): Expected | undefined
  }

/** Sometimes through the wrong zone, where it does not exist. */
function onSwitch(context: Context, { path, on, ...rest }: SwitchChange): Command {
  const place = context.choices.below(PLACES)
  const id = context.slots.get(`switch:${place}`)
  const zone = context.choices.oneIn(30) ? 'is1b' : zoneOf(place)
  return change<Switch>(context, {
    ...{ ...rest, path: `${api(zone)}/${id}${path}` },
    find({ switches }) {
      const found = switches.get(id)
      return found?.zone === zone ? found : undefined
    },
    play: (found, model) => on(found, model, id),
  })
}

const read = (context: Context) =>
  onSwitch(context, {
    ...{ name: 'switchRead', method: 'GET', path: '', level: 'view' },
    on: (found, model, id) => ({ status: 200, shows: { Switch: shown(model, id, found) } }),
  })

const servers = (context: Context) =>
  onSwitch(context, {
    ...{ name: 'switchServerList', method: 'GET', path: '/server', level: 'view' },
    on: () => ({ status: 200, shows: { Total: 0, Servers: [] } }),
  })

function update(context: Context): Command {
  const { choices, step } = context
  const subnet = choices.pick(SUBNETS)
  const name = choices.oneIn(2) ? `named-${step}` : undefined
  return onSwitch(context, {
    ...{ name: 'switchUpdate', method: 'PUT', path: '', isBad: isLengthBad(subnet) },
    body: { Switch: { Name: name, Description: `described ${step}`, UserSubnet: subnet } },
    on(found, model, id) {
      if (isRouteBad(subnet)) return { status: 400 }
      Object.assign(found, { name: name ?? found.name, description: `described ${step}` })
      Object.assign(found, { subnet: stored(subnet), modifiedAt: model.now })
      return { status: 200, shows: { Success: true, Switch: shown(model, id, found) } }
    },
  })
}

const remove = (context: Context) =>
  onSwitch(context, {
    ...{ name: 'switchDelete', method: 'DELETE', path: '', level: 'create' },
    on(found, model, id) {
      if (isConnected(model, id)) return { status: 409 }
      model.switches.delete(id)
      return { status: 200, shows: { Success: true, Switch: { ID: id, Name: found.name } } }
    },
  })

function connect(context: Context): Command {
  const { choices, slots } = context
  const place = choices.below(PLACES)
  // Mostly a switch of the same zone.
  const switchId = slots.get(`switch:${choices.oneIn(5) ? choices.below(PLACES) : place}`)
  return onGateway(context, {
    ...{ name: 'gatewaySwitchConnect', method: 'PUT', place },
    path: `/interface/1/to/switch/${switchId}`,
    on(gateway, model) {
      const found = model.switches.get(switchId)
      if (found?.account !== gateway.account || found.zone !== gateway.zone) return { status: 404 }
      if (gateway.switch !== undefined) return { status: 409 }
      // It serves another gateway.
      if (isConnected(model, switchId)) return { status: 400 }
      gateway.switch = switchId
      return { status: 200, shows: { Success: true } }
    },
  })
}

const disconnect = (context: Context) =>
  onGateway(context, {
    ...{ name: 'gatewaySwitchDisconnect', method: 'DELETE', path: '/interface/1/to/switch' },
    on(gateway) {
      if (gateway.switch === undefined) return { status: 409 }
      gateway.switch = undefined
      return { status: 200, shows: { Success: true } }
    },
  })

/** A page of those in a zone whose name has this in it. */
function list(context: Context): Command {
  const { choices } = context
  const zone = zoneOf(choices.below(PLACES))
  const name = choices.pick(['switch-', 'named', '1'])
  const [From, Count] = [choices.below(3), choices.below(4)]
  return call({
    ...{ name: 'switchList', method: 'GET', level: 'view' },
    path: `${api(zone)}${search({ From, Count, Sort: ['Name'], Filter: { Name: name } })}`,
    caller: someCaller(context),
    play: (model, account) => listing(model, account, { zone, name, From, Count }),
  })
}

interface Query {
  readonly zone: string
  readonly name: string
  readonly From: number
  readonly Count: number
}

function listing(model: Model, account: string, { zone, name, From, Count }: Query): Expected {
  const found = [...model.switches]
    .filter(([, one]) => one.account === account && one.zone === zone && one.name.includes(name))
    .sort(([, a], [, b]) => (a.name < b.name ? -1 : 1))
  const page = found.slice(From, Count === 0 ? undefined : From + Count)
  return {
    status: 200,
    shows: {
      ...{ From, Count: page.length, Total: found.length },
      Switches: page.map(([id, one], place) => ({ ...shown(model, id, one), Index: From + place })),
    },
    learn({ Switches }) {
      for (const [place, [id]] of page.entries()) {
        if (isProvisional(id)) identify(model.switches, id, Switches[place].ID)
      }
    },
  }
}

export const switchMakers: readonly Maker[] = [
  ...[firstMaker(2, create), maker(2, read), maker(1, servers), maker(2, update)],
  ...[maker(1, remove), maker(4, connect), maker(2, disconnect), maker(2, list)],
]

/** All switches of an account in a zone; those whose creation was not answered can be named from then on. */
export function readSwitches(account: string, zone: string, slots: Slots): Command {
  return call({
    ...{ name: 'switchList', method: 'GET', level: 'view' },
    path: `${api(zone)}${search({ Sort: ['Name'] })}`,
    caller: caller(`${account}-token`),
    play: (model) => listing(model, account, { zone, name: '', From: 0, Count: 0 }),
    keep({ Switches }: Body) {
      for (const { ID, Name } of Switches) {
        const [, place] = /^switch-(\d)-/.exec(Name) ?? []
        if (place !== undefined) slots.set(`switch:${place}`, ID)
      }
    },
  })
}
