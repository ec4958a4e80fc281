/** SIMs: registered by card, activated, locked to a device, restricted to carriers. */
import {
  type Change,
  type Command,
  type Context,
  call,
  change,
  type Expected,
  firstMaker,
  ITEMS,
  iccidOf,
  type Maker,
  maker,
  someCaller,
} from '../command.ts'
import {
  CARDS,
  CARRIERS,
  IMEIS,
  identify,
  type Model,
  month,
  provisional,
  type Sim,
  utc,
} from '../state.ts'
import { isFull } from './quotas.ts'
import { leave, log, settle } from './sessions.ts'

const ADDRESSES = ['192.168.77.10', '192.168.77.11', '8.8.8.8', '1.2.3']

function create(context: Context): Command {
  const { choices, slots, step } = context
  const card = choices.below(CARDS + 1)
  const isWrong = choices.oneIn(30)
  const name = `sim-${card}-${step}`
  const key = provisional(name)
  return call({
    name: 'simCreate',
    ...{ method: choices.pick(['POST', 'PUT']), path: ITEMS, level: 'create' },
    body: {
      CommonServiceItem: {
        ...{ Name: name, Provider: { Class: 'sim' }, Status: { ICCID: iccidOf(card) } },
        Remark: { PassCode: isWrong ? 'wrong' : `pass${card}` },
      },
    },
    caller: someCaller(context),
    play(model, account): Expected {
      // The last card does not exist.
      if (card === CARDS) return { status: 404 }
      const tries = wrongTries(model, account, card)
      if (tries.length >= 10) return { status: 429 }
      if (isWrong) {
        tries.push(model.now)
        return { status: 400 }
      }
      // After the card and its pass code.
      if (isFull(model, account, 'sims')) return { status: 409 }
      if ([...model.sims.values()].some((one) => one.card === card)) return { status: 409 }
      model.sims.set(key, { ...newSim(account, card), name, createdAt: model.now })
      return {
        status: 201,
        shows: {
          Success: true,
          CommonServiceItem: { Name: name, Status: { ICCID: iccidOf(card) } },
        },
        learn: (body) => identify(model.sims, key, body.CommonServiceItem.ID),
      }
    },
    keep: (body) => slots.set(`sim:${card}`, body.CommonServiceItem.ID),
  })
}

/** Those of the last ten minutes. */
function wrongTries(model: Model, account: string, card: number): number[] {
  const key = `${account} ${card}`
  const recent = (model.wrongPassCodes.get(key) ?? []).filter((at) => at > model.now - 600_000)
  model.wrongPassCodes.set(key, recent)
  return recent
}

const newSim = (account: string, card: number): Omit<Sim, 'name' | 'createdAt'> => ({
  ...{ account, card, description: null, tags: [], activated: false },
  ...{ activatedAt: undefined, deactivatedAt: undefined, lock: undefined, carriers: CARRIERS },
  ...{ gateway: undefined, project: undefined, ip: undefined, session: undefined },
  ...{ secret: undefined, log: [], traffic: new Map() },
})

type SimChange = Pick<Change<Sim>, 'name' | 'method' | 'path' | 'play'> & Partial<Change<Sim>>

function onSim(context: Context, { path, play, ...rest }: SimChange): Command {
  const id = context.slots.get(`sim:${context.choices.below(CARDS)}`)
  return change<Sim>(context, {
    ...{ ...rest, path: `${ITEMS}/${id}/sim/${path}`, find: ({ sims }: Model) => sims.get(id) },
    play(sim, model) {
      const refused = play(sim, model)
      if (refused === undefined) settle(model, sim)
      return refused
    },
  })
}

const activate = (context: Context) =>
  onSim(context, {
    ...{ name: 'simActivate', method: 'PUT', path: 'activate' },
    play(sim, { now }) {
      if (sim.activated) return { status: 409 }
      Object.assign(sim, { activated: true, activatedAt: now })
      return undefined
    },
  })

const deactivate = (context: Context) =>
  onSim(context, {
    ...{ name: 'simDeactivate', method: 'PUT', path: 'deactivate' },
    play(sim, { now }) {
      if (!sim.activated) return { status: 409 }
      Object.assign(sim, { activated: false, deactivatedAt: now })
      return undefined
    },
  })

const reconnect = (context: Context) =>
  onSim(context, {
    ...{ name: 'simReconnect', method: 'PUT', path: 'reconnect' },
    play(sim, { now }) {
      if (sim.session === undefined) return undefined
      log(sim, now, 'Deleted')
      log(sim, now, 'Created')
      return undefined
    },
  })

function lock(context: Context): Command {
  const imei = context.choices.pick([...IMEIS, 'no', '12345678901234567'])
  return onSim(context, {
    ...{ name: 'simImeiLock', method: 'PUT', path: 'imeilock', body: { sim: { imei } } },
    isBad: !/^\d{1,16}$/.test(imei),
    play(sim) {
      sim.lock = imei
      return undefined
    },
  })
}

const unlock = (context: Context) =>
  onSim(context, {
    ...{ name: 'simImeiUnlock', method: 'DELETE', path: 'imeilock' },
    play(sim) {
      sim.lock = undefined
      return undefined
    },
  })

/** A carrier that is listed twice is allowed when one of its entries says so. */
function restrict(context: Context): Command {
  const { choices } = context
  const names = [...CARRIERS, ...CARRIERS, 'Carrier-A']
  const list = Array.from({ length: choices.below(4) }, () => ({
    name: choices.pick(names),
    allow: !choices.oneIn(3),
  }))
  const allowed = CARRIERS.filter((one) => list.some(({ name, allow }) => name === one && allow))
  const isRefused = allowed.length === 0 || list.some(({ name }) => !CARRIERS.includes(name))
  return onSim(context, {
    ...{ name: 'simCarriersSet', method: 'PUT', path: 'network_operator_config' },
    body: { network_operator_config: list },
    play(sim) {
      if (isRefused) return { status: 400 }
      sim.carriers = allowed
      return undefined
    },
  })
}

const carriers = (context: Context) =>
  onSim(context, {
    ...{ name: 'simCarriersRead', method: 'GET', path: 'network_operator_config', level: 'view' },
    play: (sim) => ({
      status: 200,
      shows: {
        network_operator_config: CARRIERS.map((name) => ({
          ...{ name, country_code: 'JP', allow: sim.carriers.includes(name) },
        })),
      },
    }),
  })

function setIp(context: Context): Command {
  const ip = context.choices.pick(ADDRESSES)
  return onSim(context, {
    ...{ name: 'simIpSet', method: 'PUT', path: 'ip', body: { sim: { ip } } },
    ...{ isBad: !ip.startsWith('192.168.'), missing: 409 },
    play(sim, model) {
      if (sim.gateway === undefined) return { status: 404 }
      if (sim.ip !== undefined) return { status: 409 }
      const others = [...model.sims.values()].filter(({ gateway }) => gateway === sim.gateway)
      if (others.some((other) => other.ip === ip)) return { status: 400 }
      sim.ip = ip
      return undefined
    },
  })
}

const clearIp = (context: Context) =>
  onSim(context, {
    ...{ name: 'simIpClear', method: 'DELETE', path: 'ip' },
    play(sim) {
      sim.ip = undefined
      return undefined
    },
  })

const status = (context: Context) =>
  onSim(context, {
    ...{ name: 'simStatus', method: 'GET', path: 'status', level: 'view' },
    play: (sim, model) => ({ status: 200, shows: { sim: shownSim(sim, model) } }),
  })

export function shownSim(sim: Sim, { now }: Model) {
  const { up = 0, down = 0 } = sim.traffic.get(month(now)) ?? {}
  return {
    ...{ iccid: iccidOf(sim.card), activated: sim.activated, registered: true },
    ...{ imei_lock: sim.lock !== undefined, imei: sim.lock, ip: sim.ip },
    ...{
      session_status: sim.session === undefined ? 'DOWN' : 'UP',
      connected_imei: sim.session?.imei,
    },
    ...{ simgroup_id: sim.gateway, registered_date: utc(sim.createdAt) },
    activated_date: sim.activatedAt === undefined ? null : utc(sim.activatedAt),
    deactivated_date: sim.deactivatedAt === undefined ? null : utc(sim.deactivatedAt),
    traffic_bytes_of_current_month: { uplink_bytes: up, downlink_bytes: down },
  }
}

function remove(context: Context): Command {
  const id = context.slots.get(`sim:${context.choices.below(CARDS)}`)
  return change<Sim>(context, {
    ...{ name: 'simDelete', method: 'DELETE', path: `${ITEMS}/${id}`, level: 'create' },
    find: ({ sims }) => sims.get(id),
    play(sim, model) {
      leave(model, id, sim)
      for (const { links } of model.projects.values()) links.delete(id)
      model.sims.delete(id)
      return undefined
    },
  })
}

export const simMakers: readonly Maker[] = [
  ...[firstMaker(8, create), firstMaker(8, activate), maker(1, deactivate), maker(2, reconnect)],
  ...[maker(1, lock), maker(3, unlock), maker(3, restrict), maker(1, carriers), maker(4, setIp)],
  ...[maker(2, clearIp), maker(3, status), maker(1, remove)],
]
